import type { Command } from 'commander'
import { phrase } from '../../base/words/phrase.ts'
import type { App } from '../app.ts'
import type { ServeOptions } from './serve/serve-settings.ts'
import { repeatable } from './shared/options.ts'
import { declareOutput, rowsOutput } from './shared/output-forms.ts'
import { serverShape } from './shared/output-shapes.ts'

/** calctl serve: serves a calendar file, the demo, or a calendar in memory over HTTP. */
export function serve(command: Command, app: App): void {
  declareOutput(command, rowsOutput(serverShape))
    .optionsGroup('Calendar:')
    .option('--file <file>', phrase('Calendar file to serve, created if missing (default: the embedded calendar)'))
    .option('--from <profile>', phrase('Serve a copy of the calendar of this profile, in memory or in a new --file'))
    .option('--copy-images', phrase('With --from: also copy the images, instead of linking to the originals'))
    .option('--memory', phrase('Keep changes in memory; start empty, or with a copy of --file'))
    .option('--timezone <zone>', phrase('Time zone of a new calendar (default: that of this machine)'))
    .option('--per-page <number>', phrase('Default number of records per page (default: 30)'))
    .option('--now <time>', phrase('Freeze the clock at this time'))
    .option('--quirks', phrase('Answer as The Events Calendar does where it differs from the documented API'))
    .option('--no-wp', phrase("With --quirks: serve no wp/v2, WordPress's own API"))
    .option('--read-only', phrase('Reject writes'))
    .option('--repair', phrase('Open a damaged calendar, and move its damaged part to a separate file'))
    .optionsGroup('Network and access:')
    .option('--port <number>', phrase('Port to listen on; 0 for any free port (default: 8787)'))
    .option('--host <host>', phrase('Address to listen on (default: 127.0.0.1)'))
    .option('--base-path <path>', phrase('Path before the namespace, for example /wp-json'))
    .option(
      '--user <name:password>',
      phrase(
        'User, or NAME:PASSWORD:ROLE (default role: administrator); others can only read public records; repeatable',
      ),
      repeatable,
    )
    .option(
      '--users-file <file>',
      phrase('File with NAME:PASSWORD or NAME:PASSWORD:ROLE on each line; its passwords are replaced by hashes'),
    )
    .option('--open', phrase('Let everyone read and write without a password, even from other machines'))
    .option('--allow-host <name>', phrase('Additional host name of this server; repeatable'), repeatable)
    .option(
      '--cors <origin>',
      phrase('Allow requests from web pages of this origin, of "localhost", or of all with "*"; repeatable'),
      repeatable,
    )
    .optionsGroup('Development:')
    .option('--latency <duration>', phrase('Delay responses, for example by 200ms or 50-400ms'))
    .option(
      '--fail <fault>',
      phrase(
        'Make requests fail, for example 5%:503 or "POST /events=503x2": with a status, reset, timeout, unlisted, notice, comment, html, empty or accepted; repeatable',
      ),
      repeatable,
    )
    .option('--seed <number>', phrase('Seed of the random failures, to repeat them'))
    .option('--log', phrase('Log each request to stderr'))
    .option('--token <token>', phrase('Token for the routes below /__calctl/ (default: random)'))
    .addHelpText('after', notes())
    .action(async (options: ServeOptions) => {
      const { serveCalendar } = await import('./serve/serve-calendar.ts')
      await serveCalendar(app, options)
    })
}

const notes = () => `
${phrase('The global options --lang, --namespace and --demo set the language, the namespace and the calendar that is served. Roles are those of WordPress: administrator, editor, author, contributor and subscriber. With --quirks and without users, everyone sees what the public sees, and nobody can write; the demo has users of its own. To keep secrets out of the process list, set CALCTL_SERVE_USERS=NAME:PASSWORD,… and CALCTL_SERVE_TOKEN.')}`
