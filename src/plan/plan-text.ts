import type { Plan } from './plan.ts'

/** How the first line of a plan ends, and what its last line is. */
export const opening = ',"steps":['
export const closing = ']}'

/** A plan as JSON, a step a line, which can be written and read with one step in memory. */
export function* planJson({ steps, calctl, id, ...others }: Plan): Generator<string> {
  const head = { calctl, id, ...others }
  yield `${JSON.stringify(head).slice(0, -1)}${opening}\n`
  let left = steps.length
  for (const step of steps) {
    left -= 1
    yield `${JSON.stringify(step)}${left > 0 ? ',' : ''}\n`
  }
  yield `${closing}\n`
}
