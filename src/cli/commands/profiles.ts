import { type Command, InvalidArgumentError } from 'commander'
import { Failure } from '../../base/failure.ts'
import type { App } from '../app.ts'
import type { SettingOptions } from './profiles/change-profiles.ts'
import { repeatable } from './shared/options.ts'
import { declareOutput, noOutput, profileShape, rowsOutput } from './shared/output-forms.ts'

/** calctl profiles: manages the calendars that calctl connects to. */
export function profiles(noun: Command, app: App): void {
  const work = () => import('./profiles/change-profiles.ts')

  settings(noun.command('add').description('Add a profile').argument('<name>', 'Name of the new profile', checkedName))
    .addHelpText('after', examples)
    .action(async (name: string, options: SettingOptions) => (await work()).addProfile(app, name, options))
  declareOutput(noun.command('list'), rowsOutput(profileShape))
    .description('List profiles')
    .action(async () => (await work()).listProfiles(app))
  declareOutput(noun.command('show'), rowsOutput(profileShape))
    .description('Show a profile; secrets are shown by their source only')
    .argument('[name]', 'Name of the profile (default: the one in use)')
    .action(async (name?: string) => (await work()).showProfile(app, name))
  declareOutput(noun.command('use'), noOutput)
    .description('Set the default profile')
    .argument('<name>', 'Name of the profile')
    .action(async (name: string) => (await work()).useProfile(app, name))
  settings(noun.command('edit').description('Change settings of a profile').argument('<name>', 'Name of the profile'))
    .option(
      '--clear <settings>',
      'Unset these settings, comma-separated: baseUrls, lang, ui, namespace, user, secret, frontUser, frontSecret, headers',
    )
    .action(async (name: string, options: SettingOptions) => (await work()).editProfile(app, name, options))
  declareOutput(noun.command('remove'), noOutput)
    .description('Remove profiles and their stored passwords')
    .argument('<name...>', 'Names of the profiles')
    .action(async (names: string[]) => (await work()).removeProfiles(app, names))
}

function settings(command: Command): Command {
  return declareOutput(command, noOutput)
    .option('--base-url-for <language=url>', 'Base URL for one language; repeatable', repeatable)
    .option('--user <name>', 'User name')
    .option('--secret <source>', 'Source of the password: env:NAME, command:… or file:…')
    .option('--front-user <name>', 'User of a password that the web server asks for, in front of the site')
    .option('--front-secret <source>', 'Source of that password: env:NAME, command:… or file:…')
    .option('--password-stdin', 'Read the password from stdin and store it in a private file')
    .option('--protected', 'Require --confirm NAME for writes')
    .option('--no-protected', 'Allow writes without --confirm')
}

function checkedName(text: string): string {
  if (/^[A-Za-z0-9][\w.-]*$/.test(text)) return text
  throw new InvalidArgumentError('Expected letters, digits, dots, dashes and underscores.')
}

const examples = `
The global options --base-url, --lang, --ui, --namespace and --header are stored in the profile.

Examples:
  calctl profiles add town --base-url http://127.0.0.1:8787 --lang ca
  calctl profiles add site --base-url https://example.org/wp-json --namespace tribe/events/v1 --user admin --secret env:SITE_PASSWORD --protected
  calctl profiles add house --base-url file:calendar.json --base-url-for en=file:calendar-en.json`

/** calctl trust: lets the project file of this folder say where credentials are sent. */
export function trust(command: Command, app: App): void {
  declareOutput(command, noOutput)
    .option('--remove', 'Stop trusting the file')
    .action(async ({ remove }: { remove?: true }) => {
      const { findProjectFile } = await import('../profiles/config.ts')
      const path = findProjectFile(app.world.cwd)
      if (path === undefined)
        throw new Failure('settings', 'no .calctl.json in this folder or above', {
          hint: 'change to the folder of a project, or create the file there',
        })
      await app.notice(remove ? await distrust(app, path) : await trustProject(app, path))
    })
}

async function distrust({ world }: App, path: string): Promise<string> {
  const { distrustFile } = await import('../profiles/config.ts')
  const wasTrusted = await distrustFile(world, path)
  return wasTrusted ? `${path} is no longer trusted` : `${path} was not trusted`
}

/** What is said to be trusted is of the same reading as what is trusted. */
async function trustProject({ world }: App, path: string): Promise<string> {
  const { readProject } = await import('../profiles/config.ts')
  const { trustFile } = await import('../profiles/config.ts')
  const { source, baseUrl, namespace } = readProject(world.cwd)
  const settings = Object.entries({ baseUrl, namespace }).filter(([, value]) => value !== undefined)
  if (source === undefined || settings.length === 0) return `${path} needs no trust: it has no baseUrl and no namespace`
  await trustFile(world, source)
  return `trusted ${source.path}: ${settings.map(setting => setting.join(' ')).join(', ')}`
}
