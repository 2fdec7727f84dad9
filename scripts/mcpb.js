// The manifest of a bundle for clients of the Model Context Protocol, version 0.3: which program they start, and what they ask their user.

const tools = {
  look: 'Shows the agenda, events, venues, organizers, categories or tags, or finds a text in all of them',
  get: 'Shows a record, or the whole of one of its texts',
  check: 'Lists problems, missing translations, duplicates, or what waits to be published',
  plan: 'Plans to create, update, apply, move, cancel or merge; nothing is written',
  apply_plan: 'Has a plan approved by a person, and tells what became of it',
  undo: 'Plans to take back a run, and has that approved in the same way',
}

/** `platform` is `linux-x64`, for instance. What stands in `${}` there, the client replaces. */
export function manifestOf(version, platform) {
  const [system] = platform.split('-')
  const program = system === 'win32' ? 'runtime/node.exe' : 'runtime/node'
  const manifest = {
    manifest_version: '0.3',
    name: 'calctl',
    display_name: 'calctl',
    version,
    description: 'Look at an events calendar and plan changes, which a person approves on a page',
    long_description:
      'The assistant looks at the calendar and plans changes. A person sees the plan as a calendar and presses **Apply** or **Not this**: nothing is written without that press.',
    author: { name: 'calctl' },
    license: 'MIT',
    keywords: ['calendar', 'events', 'the-events-calendar', 'wordpress'],
    server: {
      type: 'binary',
      entry_point: program,
      mcp_config: {
        command: `\${__dirname}/${program}`,
        args: [`\${__dirname}/bin/calctl.js`, 'mcp', '--profile', `\${user_config.profile}`],
        env: {},
      },
    },
    tools: Object.entries(tools).map(([name, description]) => ({ name, description })),
    compatibility: { platforms: [system] },
    user_config: {
      profile: {
        type: 'string',
        title: 'Profile',
        description:
          'The calendar, by the name that calctl login or calctl profiles add gave it; local is a calendar in a file of yours',
        default: 'local',
        required: true,
      },
    },
  }
  return { bytes: `${JSON.stringify(manifest, null, 2)}\n` }
}
