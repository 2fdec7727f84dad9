import { excluding, missing, usage } from '../../../base/failure.ts'
import { phrase } from '../../../base/words/phrase.ts'
import { SiteReader } from '../../../changes/plan/site-reader.ts'
import { resourceNamed } from '../../../contract/contract.ts'
import { type Answer, titleOf } from '../../../contract/resource.ts'
import type { SourceMemory } from '../../../sources/memory.ts'
import {
  bringBack as bringBackLater,
  decideIdentity,
  decideWhetherNew,
  openQuestions,
  type Question,
  takeSide,
} from '../../../sources/review.ts'
import type { App } from '../../app.ts'
import { whileLocked } from '../../profiles/change-file.ts'
import { reviewShape } from '../shared/output-shapes.ts'
import { chosenMemory, type MemoryChoice, memoryFile } from './show-sources.ts'

export interface ReviewOptions extends MemoryChoice {
  readonly take?: 'source' | 'local'
  readonly field?: readonly string[]
  readonly bringBack?: true
  readonly same?: number
  readonly notSame?: true
}

const events = resourceNamed('events')

/** calctl sources review: what waits for a person; with an option, the answer. */
export async function reviewSources(app: App, refs: readonly string[], options: ReviewOptions): Promise<void> {
  const review = () => reviewMemory(app, refs, options)
  return answerOf(options) ? whileLocked(await memoryFile(app, options), review) : review()
}

async function reviewMemory(app: App, refs: readonly string[], options: ReviewOptions): Promise<void> {
  const { memory, languageOf } = await chosenMemory(app, options)
  const client = await app.client({ toPlan: true })
  const all = await openQuestions(memory, new SiteReader(client), languageOf)
  const isNamed = ({ event }: Question) => refs.includes(event.key) || refs.includes(String(event.record?.id ?? ''))
  const questions = refs.length > 0 ? all.filter(isNamed) : all
  const answer = answerOf(options)
  if (refs.length > 0 && questions.length === 0) throw nothingOpen(refs)
  if (!answer) return app.print(reviewShape, questions.map(rowOf))
  if (refs.length === 0)
    throw usage(phrase('no event given'), phrase('pass the IDs or keys that calctl sources review lists'))
  const settled = questions.filter(question => answer.settles(question))
  if (settled.length === 0) throw nothingOpen(refs)
  const same = options.same === undefined ? undefined : await client.get(events, { id: options.same })
  for (const question of settled) answer.give(memory, question, same)
  await memory.save()
  await app.notice(
    phrase('{count, plural, one {settled # question} other {settled # questions}}; the next run follows', {
      count: settled.length,
    }),
  )
}

/** Which questions the options answer; undefined if there is no answer among them. */
function answerOf({ take, field, bringBack, same, notSame }: ReviewOptions) {
  const given = Object.entries({ '--take': take, '--bring-back': bringBack, '--same': same, '--not-same': notSame })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name)
  const [one, other] = given
  if (one !== undefined && other !== undefined) throw excluding(one, other)
  if (one === undefined) return undefined
  const settles = ({ state, field: name = '' }: Question): boolean => {
    if (take && state === 'unknown') return field === undefined
    if (take) return state === 'conflict' && (field === undefined || field.includes(name))
    return bringBack ? state === 'rejected' || state === 'undone' : state === 'perhaps'
  }
  const give = (memory: SourceMemory, question: Question, found: Answer | undefined) => {
    if (take && question.state === 'unknown') decideWhetherNew(memory, question, take)
    else if (take) takeSide(memory, question, take)
    else if (bringBack) bringBackLater(memory, question)
    else decideIdentity(memory, question, found)
  }
  return { settles, give }
}

const nothingOpen = (refs: readonly string[]) =>
  missing(
    phrase('nothing of this kind waits for an answer: {refs}', { refs: refs.join(', ') }),
    phrase('see what waits with: {command}', { command: 'calctl sources review' }),
  )

function rowOf({ event, live, state, field, said, site }: Question): Record<string, unknown> {
  return {
    id: event.record?.id ?? null,
    title: live ? titleOf(events, live) : String(event.said.title ?? ''),
    state,
    field: field ?? null,
    said: said ?? event.perhaps ?? null,
    site: site ?? null,
    source: event.source,
    key: event.key,
  }
}
