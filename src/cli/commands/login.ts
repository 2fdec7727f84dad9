import type { Command } from 'commander'
import type { App } from '../app.ts'
import type { LoginOptions } from './login/log-in.ts'
import { declareOutput, noOutput, rowsOutput, userShape } from './shared/output-forms.ts'

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
      (await import('./login/log-in.ts')).logIn(app, address, options),
    )
}

/** calctl logout: removes a profile's user and password. */
export function logout(command: Command, app: App): void {
  declareOutput(command, noOutput)
    .argument('[profile]', 'Name of the profile (default: the one in use)')
    .action(async (name?: string) => (await import('./login/log-in.ts')).logOut(app, name))
}

/** calctl whoami: shows the user of the credentials in use. */
export function whoami(command: Command, app: App): void {
  declareOutput(command, rowsOutput(userShape)).action(async () => (await import('./login/log-in.ts')).whoAmI(app))
}

const loginExamples = `
WordPress sites take application passwords: an administrator or the user creates one under Users > Profile, and can
revoke it there without changing the password of the account. It may be typed with or without its spaces.

Examples:
  calctl login example.org
  calctl login https://example.org/events/concert/ --web
  pass show site | calctl login example.org --user ada --password-stdin`
