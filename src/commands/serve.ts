import type { Command } from 'commander'
import type { App } from '../app.ts'
import type { ServeOptions } from './serve/serve-settings.ts'
import { repeatable } from './shared/option-parsers.ts'
import { declareOutput, rowsOutput, serverShape } from './shared/output-forms.ts'

/** calctl serve: the API on a port of this machine, over a calendar file, the demo, or memory. */
export function serve(command: Command, app: App): void {
  declareOutput(command, rowsOutput(serverShape))
    .optionsGroup('Calendar:')
    .option('--file <file>', 'Calendar file to serve; created if missing (default: your own calendar)')
    .option('--from <profile>', 'Serve a copy of the calendar of this profile, in memory or in a new --file')
    .option('--memory', 'Keep changes in memory only; start empty, or with a copy of --file')
    .option('--timezone <zone>', 'Time zone of a new calendar (default: that of this machine)')
    .option('--per-page <number>', 'Records per page unless a request says otherwise (default: 30)')
    .option('--now <instant>', 'Stop the clock at this time')
    .option('--quirks', 'Imitate the peculiarities of The Events Calendar')
    .option('--read-only', 'Refuse writes')
    .option('--repair', 'Open a damaged journal without its damaged part, which is kept in a file of its own')
    .optionsGroup('Network and access:')
    .option('--port <number>', 'Port to listen on; 0 for any free port (default: 8787)')
    .option('--host <host>', 'Address to listen on (default: 127.0.0.1)')
    .option('--base-path <path>', 'Path before the namespace, for example /wp-json')
    .option(
      '--user <name:password>',
      'User who may write; all others only read what is published; repeatable',
      repeatable,
    )
    .option('--users-file <file>', 'File with NAME:PASSWORD on each line')
    .option('--open', 'Let other machines write without a password')
    .option('--allow-host <name>', 'Additional host name of this server; repeatable', repeatable)
    .option('--cors <origin>', 'Allow requests from web pages of this origin; repeatable', repeatable)
    .optionsGroup('Development:')
    .option('--latency <duration>', 'Delay answers, for example 200ms or 50-400ms')
    .option(
      '--fail <share:how>',
      'Fail some requests, for example 5%:503, 2%:reset or 1%:timeout; repeatable',
      repeatable,
    )
    .option('--seed <number>', 'Make failures reproducible')
    .option('--log', 'Log each request to stderr')
    .option('--token <token>', 'Token for POST /__calctl/reset, snapshot and restore (default: random)')
    .addHelpText('after', examples)
    .action(async (options: ServeOptions) => {
      const { serveCalendar } = await import('./serve/serve-calendar.ts')
      await serveCalendar(app, options)
    })
}

const examples = `
The global options --lang, --namespace and --demo set the language, the namespace and the calendar that is served.
To keep secrets out of the process list, set CALCTL_SERVE_USERS=one:secret,two:secret and CALCTL_SERVE_TOKEN.

Examples:
  calctl serve --demo
  calctl serve --file town.json --port 0
  calctl serve --file town.json --namespace tribe/events/v1 --base-path /wp-json --quirks
  calctl serve --from site --file copy.json
  calctl serve --memory --latency 50-400ms --fail 5%:503 --fail 1%:timeout --seed 7 --log
  calctl serve --file town.json --host 0.0.0.0 --user editor:secret --allow-host calendar.local`
