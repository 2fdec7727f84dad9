import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { badSettings, wrongValue } from '../../base/failure.ts'
import { hidePassword } from '../../base/text/secrets.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { App } from '../app.ts'
import type { SettingOptions } from './change-profiles.ts'
import type { LoginOptions } from './log-in.ts'
import { repeatable } from './shared/options.ts'
import { declareOutput, noOutput, rowsOutput } from './shared/output-forms.ts'
import { checkShape, profileShape, userShape } from './shared/output-shapes.ts'

/** calctl login: finds the API of a site, tries a user name and a password, and adds a profile. */
export function login(command: Command, app: App): void {
  declareOutput(command, noOutput)
    .argument('[address]', phrase('Address of any page of the site: example.org'))
    .option('--user <name>', phrase('User name on the site'))
    .option('--password-stdin', phrase('Read the password from stdin'))
    .option('--web', phrase("Open the site's page for a new application password in the browser"))
    .option('--front-user <name>', phrase('User of a password that the web server asks for, in front of the site'))
    .option('--front-secret <source>', phrase('Source of that password: env:NAME, command:… or file:…'))
    .option('--name <profile>', phrase('Name of the profile (default: made from the address)'))
    .option('--anonymous', phrase('Read only public data, without a password'))
    .addHelpText('after', loginNotes())
    .action(async (address: string | undefined, options: LoginOptions) =>
      (await import('./log-in.ts')).logIn(app, address, options),
    )
}

/** calctl logout: removes a profile's user and password. */
export function logout(command: Command, app: App): void {
  declareOutput(command, noOutput)
    .argument('[profile]', phrase('Name of the profile (default: the one in use)'))
    .action(async (name?: string) => (await import('./log-in.ts')).logOut(app, name))
}

/** calctl whoami: shows the user of the current credentials. */
export function whoami(command: Command, app: App): void {
  declareOutput(command, rowsOutput(userShape)).action(async () => (await import('./log-in.ts')).whoAmI(app))
}

const loginNotes = () => `
${phrase('WordPress sites take application passwords: an administrator or the user creates one under Users > Profile, and can revoke it there without changing the password of the account. It may be typed with or without its spaces.')}`

/** calctl doctor: checks everything between calctl and the records of a site. */
export function doctor(command: Command, app: App): void {
  declareOutput(command, rowsOutput(checkShape))
    .argument('[address]', phrase('Address of any page of the site: example.org (default: the calendar in use)'))
    .addHelpText('after', doctorNotes())
    .action(async (address: string | undefined) => (await import('./doctor/examine.ts')).examine(app, address))
}

const doctorNotes = () => `
${phrase('Each line is a check: passed, failed (with what to do next), or skipped. The exit status is 1 if one failed. Nothing is written.')}`

/** calctl profiles: manages the calendars that calctl connects to. */
export function profiles(noun: Command, app: App): void {
  const work = () => import('./change-profiles.ts')

  settings(
    noun
      .command('add')
      .description(phrase('Add a profile'))
      .argument('<name>', phrase('Name of the new profile'), checkedName),
  )
    .addHelpText('after', profilesNotes())
    .action(async (name: string, options: SettingOptions) => (await work()).addProfile(app, name, options))
  declareOutput(noun.command('list'), rowsOutput(profileShape))
    .description(phrase('List profiles'))
    .action(async () => (await work()).listProfiles(app))
  declareOutput(noun.command('show'), rowsOutput(profileShape))
    .description(phrase('Show a profile; secrets are shown by their source only'))
    .argument('[name]', phrase('Name of the profile (default: the one in use)'))
    .action(async (name?: string) => (await work()).showProfile(app, name))
  declareOutput(noun.command('use'), noOutput)
    .description(phrase('Set the default profile'))
    .argument('<name>', phrase('Name of the profile'))
    .action(async (name: string) => (await work()).useProfile(app, name))
  settings(
    noun
      .command('edit')
      .description(phrase('Change settings of a profile'))
      .argument('<name>', phrase('Name of the profile')),
  )
    .option(
      '--clear <settings>',
      phrase(
        'Unset these settings, comma-separated: baseUrls, lang, ui, namespace, user, secret, frontUser, frontSecret, headers',
      ),
    )
    .action(async (name: string, options: SettingOptions) => (await work()).editProfile(app, name, options))
  declareOutput(noun.command('remove'), noOutput)
    .description(phrase('Remove profiles and their stored passwords'))
    .argument('<name...>', phrase('Names of the profiles'))
    .action(async (names: string[]) => (await work()).removeProfiles(app, names))
}

function settings(command: Command): Command {
  return declareOutput(command, noOutput)
    .option('--base-url-for <language=url>', phrase('Base URL for one language; repeatable'), repeatable)
    .option('--user <name>', phrase('User name'))
    .option('--secret <source>', phrase('Source of the password: env:NAME, command:… or file:…'))
    .option('--front-user <name>', phrase('User of a password that the web server asks for, in front of the site'))
    .option('--front-secret <source>', phrase('Source of that password: env:NAME, command:… or file:…'))
    .option('--password-stdin', phrase('Read the password from stdin and store it in a private file'))
    .option('--protected', phrase('Require --confirm NAME for writes'))
    .option('--no-protected', phrase('Allow writes without --confirm'))
}

function checkedName(text: string): string {
  if (/^[A-Za-z0-9][\w.-]*$/.test(text)) return text
  throw wrongValue('name', phrase('letters, digits, dots, dashes and underscores'), text, 'town')
}

const profilesNotes = () => `
${phrase('The global options --base-url, --lang, --ui, --namespace and --header are stored in the profile.')}`

/** calctl trust: allows the project file of this folder to choose where credentials are sent, and files outside it; and its sources to change a calendar. */
export function trust(command: Command, app: App): void {
  declareOutput(command, noOutput)
    .option('--remove', phrase('Stop trusting the file'))
    .action(async ({ remove }: { remove?: true }) => {
      const { findProjectFile } = await import('../profiles/project-file.ts')
      const project = findProjectFile(app.world.cwd)
      const sources = join(app.world.cwd, 'sources.yaml')
      const hasSources = existsSync(sources)
      if (project === undefined && !hasSources)
        throw badSettings(
          phrase('no .calctl.json in this folder or above, and no sources.yaml in it'),
          phrase('change to the folder of a project, or create the file there'),
        )
      if (project !== undefined)
        await app.notice(remove ? await distrust(app, project) : await trustProject(app, project))
      if (hasSources) await app.notice(remove ? await distrust(app, sources) : await trustSources(app))
    })
}

async function distrust({ world }: App, path: string): Promise<string> {
  const { distrustFile } = await import('../profiles/trust.ts')
  const wasTrusted = await distrustFile(world, path)
  return wasTrusted ? phrase('{path} is no longer trusted', { path }) : phrase('{path} was not trusted', { path })
}

/** Reads the file once, so that the message names exactly the settings that become trusted. */
async function trustProject({ world }: App, path: string): Promise<string> {
  const { readProject } = await import('../profiles/project-file.ts')
  const { projectKeys } = await import('../profiles/project-settings.ts')
  const { trustFile } = await import('../profiles/trust.ts')
  const { source, ...project } = readProject(world.cwd)
  const settings = projectKeys.filter(key => project[key] !== undefined).map(key => `${key} ${project[key]}`)
  if (source === undefined || settings.length === 0)
    return phrase('{path} needs no trust: it chooses no calendar', { path })
  await trustFile(world, source)
  return phrase('trusted {path}: {settings}', { path, settings: settings.join(', ') })
}

/** The same for the sources of this folder. */
async function trustSources({ world }: App): Promise<string> {
  const { trustFile } = await import('../profiles/trust.ts')
  const { sourcesHere } = await import('./sources/source-world.ts')
  const file = await sourcesHere(world)
  await trustFile(world, file)
  const settings = file.sources.map(({ name, place }) => `${name} ${hidePassword(place)}`).join(', ')
  return phrase('trusted {path}: {settings}', { path: file.path, settings })
}
