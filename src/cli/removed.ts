/** What is typed in place of commands and options that calctl no longer has. */
export const removed: Readonly<Record<string, string>> = {
  'calctl verify': 'npm run parity',
  'calctl completion install': 'calctl completion --help',
  'calctl completion uninstall': 'calctl completion --help',
  'calctl doctor --write': 'calctl doctor',
  'calctl help --man': 'man calctl',
  '--patch': 'calctl events update',
  '--errors': 'calctl apply FILE --skip-invalid',
  '--report': 'calctl runs show -o json',
  '--shard': 'calctl apply FILE --jobs 8',
  'calctl serve --like': 'calctl serve --from site --file copy.json',
  'calctl lint --online': 'calctl events list --fields website -o csv',
  'calctl export --xliff': 'calctl languages status --gaps -o xlsx',
  'calctl export --xliff-version': 'calctl languages status --gaps -o xlsx',
  'calctl export --into': 'calctl languages status --gaps -o xlsx',
}
