import { type Command, InvalidArgumentError } from 'commander'
import { Failure } from '../../base/failure.ts'
import type { App } from '../app.ts'
import type { SettingOptions } from './change-profiles.ts'
import type { LoginOptions } from './log-in.ts'
import { limitDescription, repeatable, wholeNumber } from './shared/options.ts'
import {
  checkShape,
  declareOutput,
  mediaShape,
  noOutput,
  profileShape,
  rowsOutput,
  userShape,
} from './shared/output-forms.ts'

export const loginDescription = 'Connect to a site, by the address of any of its pages, and store the password'
export const logoutDescription = 'Remove the stored password of a profile'
export const whoamiDescription = 'Show the current user and their permissions'

/** calctl login: finds the API of a site, tries a user name and a password, and adds a profile. */
export function login(command: Command, app: App): void {
  declareOutput(command, noOutput)
    .argument('[address]', 'Address of any page of the site: example.org')
    .option('--user <name>', 'User name on the site')
    .option('--password-stdin', 'Read the password from stdin')
    .option('--web', "Open the site's page for a new application password in the browser")
    .option('--front-user <name>', 'User of a password that the web server asks for, in front of the site')
    .option('--front-secret <source>', 'Source of that password: env:NAME, command:… or file:…')
    .option('--name <profile>', 'Name of the profile (default: made from the address)')
    .option('--anonymous', 'Read only what is public, without a password')
    .addHelpText('after', loginExamples)
    .action(async (address: string | undefined, options: LoginOptions) =>
      (await import('./log-in.ts')).logIn(app, address, options),
    )
}

/** calctl logout: removes a profile's user and password. */
export function logout(command: Command, app: App): void {
  declareOutput(command, noOutput)
    .argument('[profile]', 'Name of the profile (default: the one in use)')
    .action(async (name?: string) => (await import('./log-in.ts')).logOut(app, name))
}

/** calctl whoami: shows the user of the credentials in use. */
export function whoami(command: Command, app: App): void {
  declareOutput(command, rowsOutput(userShape)).action(async () => (await import('./log-in.ts')).whoAmI(app))
}

const loginExamples = `
WordPress sites take application passwords: an administrator or the user creates one under Users > Profile, and can
revoke it there without changing the password of the account. It may be typed with or without its spaces.

Examples:
  calctl login example.org
  calctl login https://example.org/events/concert/ --web
  pass show site | calctl login example.org --user ada --password-stdin`

export const doctorDescription = 'Check the connection to a site step by step, and say how to fix what fails'

/** calctl doctor: looks at everything between calctl and the records of a site. */
export function doctor(command: Command, app: App): void {
  declareOutput(command, rowsOutput(checkShape))
    .argument('[address]', 'Address of any page of the site: example.org (default: the calendar in use)')
    .option('--write', 'Also test an update on a temporary draft')
    .addHelpText('after', doctorExamples)
    .action(async (address: string | undefined, options: { write?: true }) => {
      const { examine } = await import('./doctor/examine.ts')
      await examine(app, address, options.write ?? false)
    })
}

const doctorExamples = `
Each line is a check: passed, failed (with what to do next), or skipped. The exit status is 1 if one failed.
Without --write, nothing is written.

Examples:
  calctl doctor
  calctl doctor example.org
  calctl doctor -p site --write -o json`

export const mediaDescription = 'List and upload the images of a site'

/** calctl media: the images that events, venues and organizers can have. */
export function media(noun: Command, app: App): void {
  declareOutput(noun.command('list'), rowsOutput(mediaShape))
    .description('List images, the newest first')
    .option('--search <text>', 'Images with these words in their names or titles')
    .option('--limit <number>', limitDescription, wholeNumber('--limit', 1))
    .action(async options => (await import('./media-items.ts')).listImages(app, options))
  declareOutput(noun.command('upload'), rowsOutput(mediaShape))
    .description('Upload image files that are not on the site yet')
    .argument('<file...>', 'JPEG, PNG, GIF, WebP or AVIF files')
    .option('--image-alt <text>', 'Alternative text of the images')
    .addHelpText('after', mediaExamples)
    .action(async (files, options) => (await import('./media-items.ts')).uploadImages(app, files, options))
}

const mediaExamples = `
The same file is uploaded only once. calctl undo does not remove uploads.

Examples:
  calctl media upload poster.jpg --image-alt "A stage at night"
  calctl media upload posters/*.jpg -o ids`

/** calctl profiles: manages the calendars that calctl connects to. */
export function profiles(noun: Command, app: App): void {
  const work = () => import('./change-profiles.ts')

  settings(noun.command('add').description('Add a profile').argument('<name>', 'Name of the new profile', checkedName))
    .addHelpText('after', profilesExamples)
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

const profilesExamples = `
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
