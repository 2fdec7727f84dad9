/** What is typed in place of commands and options that calctl no longer has. */
export const removed: Readonly<Record<string, string>> = {
  'calctl verify': 'npm run parity',
  'calctl events edit':
    'calctl export events --include 12 -o yaml > event.yaml && $EDITOR event.yaml && calctl apply event.yaml',
  'calctl venues edit':
    'calctl export venues --where id=7 -o yaml > venue.yaml && $EDITOR venue.yaml && calctl apply venue.yaml',
  'calctl organizers edit':
    'calctl export organizers --where id=4 -o yaml > organizer.yaml && $EDITOR organizer.yaml && calctl apply organizer.yaml',
  'calctl categories edit':
    'calctl export categories --include 3 -o yaml > category.yaml && $EDITOR category.yaml && calctl apply category.yaml',
  'calctl tags edit': 'calctl export tags --include 2 -o yaml > tag.yaml && $EDITOR tag.yaml && calctl apply tag.yaml',
  'calctl completion install': 'calctl completion --help',
  'calctl completion uninstall': 'calctl completion --help',
  'calctl api --file-field': 'calctl api POST tags --input FILE',
  'calctl doctor --write': 'calctl doctor',
  'calctl help --man': 'man calctl',
  '--patch': 'calctl events update',
  '--errors': 'calctl apply FILE --skip-invalid',
  '--report': 'calctl runs show -o json',
  'calctl media': 'calctl api GET /wp/v2/media',
  'calctl routes': 'calctl api GET /',
  '--keep-instant': 'calctl events update 12 --timezone Europe/Madrid --start-date 2026-12-05T18:00Z --duration 2h',
  '--keep-going': 'calctl apply FILE',
  '--shard': 'calctl apply FILE --jobs 8',
  'calctl serve --like': 'calctl serve --from site --file copy.json',
  'calctl lint --older-than': 'calctl events list --to 2021-12-31 --status publish',
  'calctl lint --online': 'calctl events list --fields website -o csv',
  'calctl export --xliff': 'calctl languages status --gaps -o xlsx',
  'calctl export --xliff-version': 'calctl languages status --gaps -o xlsx',
  'calctl export --into': 'calctl languages status --gaps -o xlsx',
}
