import { type Command, InvalidArgumentError } from 'commander'
import type { App } from '../app.ts'
import type { SettingOptions } from './profiles/change-profiles.ts'
import { answers, noData, profileShape, rowsOf } from './shared/answers.ts'
import { repeatable } from './shared/option-parsers.ts'

/** calctl profiles: the places to talk to. */
export function profiles(noun: Command, app: App): void {
  const reading = () => import('./profiles/show-profiles.ts')
  const writing = () => import('./profiles/change-profiles.ts')

  settings(noun.command('add').description('add a profile').argument('<name>', 'name of the new profile', checkedName))
    .addHelpText('after', examples)
    .action(async (name: string, options: SettingOptions) => (await writing()).add(app, name, options))
  answers(noun.command('list'), rowsOf(profileShape))
    .description('list profiles')
    .action(async () => (await reading()).list(app))
  answers(noun.command('show'), rowsOf(profileShape))
    .description('show a profile; of a secret only its source')
    .argument('[name]', 'name of the profile (default: the one in use)')
    .action(async (name?: string) => (await reading()).show(app, name))
  answers(noun.command('use'), noData)
    .description('use this profile by default')
    .argument('<name>')
    .action(async (name: string) => (await writing()).use(app, name))
  settings(noun.command('edit').description('change settings of a profile').argument('<name>'))
    .option('--clear <settings>', 'unset these settings: baseUrls,lang,namespace,user,secret,headers')
    .action(async (name: string, options: SettingOptions) => (await writing()).edit(app, name, options))
  answers(noun.command('remove'), noData)
    .description('remove profiles and their stored passwords')
    .argument('<name...>')
    .action(async (names: string[]) => (await writing()).remove(app, names))
}

function settings(command: Command): Command {
  return answers(command, noData)
    .option('--base-url-for <language=url>', 'base URL for one language; repeatable', repeatable)
    .option('--user <name>', 'user name')
    .option('--secret <source>', 'source of the password: env:NAME, command:… or file:…')
    .option('--password-stdin', 'read the password from stdin and store it in a private file')
    .option('--protected', 'require --confirm NAME for writes')
    .option('--no-protected', 'allow writes without --confirm')
}

function checkedName(text: string): string {
  if (/^[A-Za-z0-9][\w.-]*$/.test(text)) return text
  throw new InvalidArgumentError('Expected letters, digits, dots, dashes and underscores.')
}

const examples = `
The global options --base-url, --lang, --namespace and --header set those of the profile.

Examples:
  calctl profiles add town --base-url http://127.0.0.1:8787 --lang ca
  calctl profiles add site --base-url https://example.org/wp-json --namespace tribe/events/v1 --user admin --secret env:SITE_PASSWORD --protected
  calctl profiles add house --base-url file:calendar.json --base-url-for en=file:calendar-en.json`
