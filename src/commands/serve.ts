import type { Command } from 'commander'
import type { App } from '../app.ts'
import type { ServeOptions } from './serve/settings.ts'
import { answers, rowsOf, serverShape } from './shared/answers.ts'
import { repeatable } from './shared/options.ts'

/** calctl serve: the API on a port of this machine, over a calendar file, the demo, or memory. */
export function serve(command: Command, app: App): void {
  answers(command, rowsOf(serverShape))
    .optionsGroup('What is served:')
    .option('--file <path>', 'this calendar file; made if it is not there (without it: your own calendar)')
    .option('--from <profile>', 'a copy of the calendar of this profile, in memory or in a new --file')
    .option('--memory', 'write nothing: an empty calendar, or with --file a copy of it')
    .option('--timezone <zone>', 'time zone of a new calendar (that of this machine)')
    .option('--per-page <number>', 'records on a page when none is asked for (30)')
    .option('--now <instant>', 'hold the clock at this instant')
    .option('--quirks', 'do what surprises in production too')
    .option('--read-only', 'refuse writes')
    .option('--repair', 'go on after a damaged journal with what is sound; what is not is kept aside')
    .optionsGroup('Where and for whom:')
    .option('--port <number>', 'the port; 0 takes a free one (8787)')
    .option('--host <host>', 'the address to listen at (127.0.0.1)')
    .option('--base-path <path>', 'what comes before the namespace: /wp-json')
    .option('--user <name:password>', 'may write, everyone else reads what is published; repeatable', repeatable)
    .option('--users-file <path>', 'the same from a file, a line each')
    .option('--open', 'let other machines write without a password')
    .option('--allow-host <name>', 'a name this server goes by; repeatable', repeatable)
    .option('--cors <origin>', 'a site whose pages may use this calendar; repeatable', repeatable)
    .optionsGroup('For developers:')
    .option('--latency <duration>', 'slow answers: 200ms, 50-400ms')
    .option('--fail <share:how>', 'failing requests: 5%:503, 2%:reset, 1%:timeout; repeatable', repeatable)
    .option('--seed <number>', 'the same failures every time')
    .option('--log', 'a line per request on stderr')
    .option('--token <token>', 'what POST /__calctl/reset, snapshot and restore ask for (made up)')
    .addHelpText('after', examples)
    .action(async (options: ServeOptions) => {
      const { serveCalendar } = await import('./serve/run.ts')
      await serveCalendar(app, options)
    })
}

const examples = `
The global options --lang, --namespace and --demo say which language, namespace and calendar are served.
What should not stand in the list of processes can stand in the environment: CALCTL_SERVE_USERS=one:secret,two:secret
and CALCTL_SERVE_TOKEN.

Examples:
  calctl serve --demo
  calctl serve --file town.json --port 0
  calctl serve --file town.json --namespace tribe/events/v1 --base-path /wp-json --quirks
  calctl serve --from site --file copy.json
  calctl serve --memory --latency 50-400ms --fail 5%:503 --fail 1%:timeout --seed 7 --log
  calctl serve --file town.json --host 0.0.0.0 --user editor:secret --allow-host calendar.local`
