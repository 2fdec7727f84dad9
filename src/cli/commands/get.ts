import { asFailure, excluding, Failure, someFailed } from '../../base/failure.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Ref, Values } from '../../client/client.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import type { App } from '../app.ts'
import { addFieldOption, typedValues, type Verb, type VerbContext, verbCommand } from './shared/options.ts'
import { asksForApart, declareOutput, readRecordsOutput } from './shared/output-forms.ts'
import { refsArgument, unlocking } from './shared/ref-arguments.ts'
import { namedRefs } from './shared/refs.ts'

type GetOptions = Values & { readonly [flag in 'bySlug' | 'full' | 'web']?: true }

/** calctl <resource> get <ref...>: one record, or several. */
export const get: Verb = (parent, resource, app) => {
  const description = phrase('Show one or more {resource}', { resource: resource.name })
  const command = refsArgument(verbCommand(parent, resource, 'get', description), resource)
  command
    .option('--full', phrase('On a terminal, show every field'))
    .option('--web', phrase('Open the page of the record in a browser'))
  for (const [name, field] of unlocking(resource)) addFieldOption(command, name, field)
  declareOutput(command, readRecordsOutput(resource)).action(async (texts: string[], options: GetOptions) => {
    const { output, globals } = app
    if (options.web && output !== undefined) throw excluding('--web', `-o ${output}`)
    const values = await typedValues(unlocking(resource), options)
    const client = await app.client()
    const context = { app, client, resource }
    const refs = await namedRefs(context, texts, options.bySlug)
    const feed = output === 'ics' ? (await import('./shared/public-events.ts')).createAllEvents(client) : undefined
    const isCard = refs.length === 1 && !options.full && !output && !globals.fields && app.world.stdout.isTTY
    const showsApart = isCard || options.full || output === 'ics' || asksForApart(app, resource)
    const read = async (ref: Ref) => {
      const answer = await client.get(resource, ref, values)
      const apart = showsApart && (await import('../../client/adapters/event-statuses.ts'))
      const records = apart ? await apart.withEventStatuses(client, resource, [answer]) : [answer]
      return ((await feed?.of(records)) ?? records)[0] ?? answer
    }
    if (options.web) return (await import('./open.ts')).openPages(context, refs, read)
    if (isCard) {
      const record = await read(refs[0] as Ref)
      const { printCard } = await import('./shared/record-cards.ts')
      return printCard(app, client, resource, record)
    }
    const records = await readEach(app, resource, refs, read)
    await feed?.noticeOmitted(app)
    await listTranslations(context, records)
  })
}

async function listTranslations({ app, client, resource }: VerbContext, records: readonly Answer[]): Promise<void> {
  if (app.globals.quiet || client.languages().all.length < 2) return
  const { translationLines } = await import('./shared/translations.ts')
  for (const line of await translationLines(app, client, resource, records)) await app.notice(line)
}

/** Reads each ref and prints the records: an object for one, a list for several. Failures are thrown at the end. */
async function readEach(
  app: App,
  resource: Resource,
  refs: readonly Ref[],
  read: (ref: Ref) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  const failures: Failure[] = []
  for (const ref of refs) {
    const answer = await read(ref).catch(asFailure)
    if (answer instanceof Failure) failures.push(answer)
    else answers.push(answer)
  }
  const [answer] = answers
  if (refs.length > 1) await app.print(resource, answers)
  else if (answer) await app.print(resource, answer)
  const [failure] = failures
  if (failure) throw refs.length > 1 ? someFailed(failures, refs.length) : failure
  return answers
}
