import { isObject } from '../../base/text/json.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Answer } from '../../contract/resource.ts'
import type { Step } from '../plan/plan.ts'
import { dependenciesOf } from '../plan/steps.ts'
import type { StepResult } from './result.ts'

/**
 * Terms that the site refused to create for this user. Authors and contributors may create a term only by naming it in an event: the events
 * of the plan then send its name instead of its ID.
 */
export class TermsByName {
  #last: Promise<void> = Promise.resolve()
  readonly #refused = new Map<string, { readonly step: Step; readonly result: StepResult }>()

  /** Remembers the create of a term if the site refused it; returns whether it did. */
  postpone(step: Step, result: StepResult): boolean {
    const isTerm = step.action === 'create' && !resourceNamed(step.resource).trashable
    if (!isTerm || result.state !== 'failed' || result.failure?.details.problem !== 'no-right') return false
    this.#refused.set(step.key, { step, result })
    return true
  }

  /** The name with which an event is to be sent in place of a term. */
  nameOf(key: string): string | undefined {
    const step = this.#refused.get(key)?.step
    return step && String(step.values[resourceNamed(step.resource).title])
  }

  /**
   * Whether an event is to be sent with names. Such events are sent one after another: if a site is sent the name of an existing tag, it
   * creates another tag, whose name is the ID of the first.
   */
  isNeededBy(step: Step): boolean {
    return step.resource === 'events' && dependenciesOf(step).some(key => this.#refused.has(key))
  }

  /** Waits until the earlier events have been sent; returns what ends the turn. */
  async takeTurn(): Promise<() => void> {
    const before = this.#last
    let end = () => {}
    this.#last = new Promise<void>(resolve => {
      end = resolve
    })
    await before
    return end
  }

  /** The terms that an event has created, with their IDs. */
  *createdBy(event: Step, record: Answer): Generator<[Step, number]> {
    for (const key of dependenciesOf(event)) {
      const step = this.#refused.get(key)?.step
      const id = step && idOf(record[step.resource], this.nameOf(key) ?? '')
      if (!step || id === undefined) continue
      this.#refused.delete(key)
      yield [step, id]
    }
  }

  /** The terms that no event has created, with the refusals of the site. */
  *left(): Generator<[Step, StepResult]> {
    for (const { step, result } of this.#refused.values()) yield [step, result]
    this.#refused.clear()
  }
}

/** The ID of the term with this name among those of an event. */
function idOf(terms: unknown, name: string): number | undefined {
  const term = Array.isArray(terms)
    ? terms.find(one => isObject(one) && String(one.name).toLowerCase() === name.toLowerCase())
    : undefined
  return typeof term?.id === 'number' ? term.id : undefined
}
