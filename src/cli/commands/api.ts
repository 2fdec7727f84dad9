import type { Command } from 'commander'
import { wrongValue } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { App } from '../app.ts'
import type { ApiOptions } from './send-request.ts'
import { repeatable } from './shared/options.ts'
import { declareOutput, documentOutput } from './shared/output-forms.ts'

/** calctl api: sends any request to the site with the profile's credentials, for what calctl does not cover. */
export function api(command: Command, app: App): void {
  declareOutput(command, documentOutput)
    .argument('<method>', phrase('GET, POST, PUT, PATCH, DELETE, HEAD or OPTIONS'), method)
    .argument('<path>', phrase('Path below the namespace, or with a leading / below the root of the API'))
    .option(
      '-f, --field <key=value>',
      phrase('Field with a value as in JSON: a number, true, null, or text; repeatable'),
      repeatable,
    )
    .option('--input <file>', phrase('File with the body; - is stdin'))
    .option('--paginate', phrase('Read all pages of a list'))
    .option('--include', phrase('Print the status and the headers, too'))
    .addHelpText('after', notes())
    .action(async (method: string, path: string, options: ApiOptions) =>
      (await import('./send-request.ts')).sendRequestOf(app, method, path, options),
    )
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

function method(text: string): string {
  const name = text.toUpperCase()
  if (methods.includes(name)) return name
  throw wrongValue('method', phrase('one of {choices}', { choices: methods.join(', ') }), text, 'GET')
}

const notes = () => `
${phrase('Fields go into the query of a GET or DELETE, and otherwise into a JSON body. The request is sent unchanged. The result is not compared, and calctl undo does not reverse it.')}`

/** calctl doc: prints the OpenAPI document of the service. */
export function doc(command: Command, app: App): void {
  declareOutput(command, documentOutput).action(async () => app.printValue(await (await app.client()).doc()))
}
