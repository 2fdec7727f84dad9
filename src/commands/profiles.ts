import { type Command, InvalidArgumentError } from 'commander'
import type { App } from '../app.ts'
import type { SettingOptions } from './profiles/write.ts'
import { answers, noData, profileShape, rowsOf } from './shared/answers.ts'
import { repeatable } from './shared/options.ts'

/** calctl profiles: the places to talk to. */
export function profiles(noun: Command, app: App): void {
  const reading = () => import('./profiles/read.ts')
  const writing = () => import('./profiles/write.ts')

  settings(
    noun.command('add').description('name a place to talk to').argument('<name>', 'what to call it', checkedName),
  )
    .addHelpText('after', examples)
    .action(async (name: string, options: SettingOptions) => (await writing()).add(app, name, options))
  answers(noun.command('list'), rowsOf(profileShape))
    .description('all profiles')
    .action(async () => (await reading()).list(app))
  answers(noun.command('show'), rowsOf(profileShape))
    .description('one profile, or the one in use; secrets as where they are')
    .argument('[name]')
    .action(async (name?: string) => (await reading()).show(app, name))
  answers(noun.command('use'), noData)
    .description('talk to this one from now on')
    .argument('<name>')
    .action(async (name: string) => (await writing()).use(app, name))
  settings(noun.command('edit').description('change what is given, keep the rest').argument('<name>'))
    .option('--clear <settings>', 'unset these: baseUrls,lang,namespace,user,secret,headers')
    .action(async (name: string, options: SettingOptions) => (await writing()).edit(app, name, options))
  answers(noun.command('remove'), noData)
    .description('forget profiles')
    .argument('<name...>')
    .action(async (names: string[]) => (await writing()).remove(app, names))
}

function settings(command: Command): Command {
  return answers(command, noData)
    .option('--base-url-for <language=url>', 'base URL in one language; repeatable', repeatable)
    .option('--user <name>', 'user name')
    .option('--secret <source>', 'where the password is: env:NAME, command:… or file:…')
    .option('--password-stdin', 'read the password from stdin, keep it in a file of your own')
    .option('--protected', 'writes must be confirmed with --confirm NAME')
    .option('--no-protected', 'writes need not be confirmed')
}

function checkedName(text: string): string {
  if (/^[A-Za-z0-9][\w.-]*$/.test(text)) return text
  throw new InvalidArgumentError('Expected letters, digits, dots, dashes and underscores.')
}

const examples = `
The global options --base-url, --lang, --namespace and --header say the profile's own.

Examples:
  calctl profiles add town --base-url http://127.0.0.1:8787 --lang ca
  calctl profiles add site --base-url https://example.org/wp-json --namespace tribe/events/v1 --user admin --secret env:SITE_PASSWORD --protected
  calctl profiles add house --base-url file:calendar.json --base-url-for en=file:calendar-en.json`
