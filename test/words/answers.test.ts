import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { speak } from '../../src/base/words/phrase.ts'
import { resources } from '../../src/contract/contract.ts'
import { testService } from '../support/test-service.ts'

const catalog = readFileSync(join(import.meta.dirname, '../../src/base/words/ca.json'), 'utf8')

afterEach(() => speak('en'))

/** What a service says of a record in which nothing is right, field by field. */
async function refusals(quirks: boolean): Promise<unknown[]> {
  const { ask } = testService({ site: { quirks } })
  const answers: unknown[] = []
  for (const { name, fields } of resources)
    for (const field of Object.keys(fields)) {
      const { status, body } = await ask(`POST /${name}`, { json: { [field]: { no: 'value' } } })
      answers.push([name, field, status, body])
    }
  return answers
}

test.each([false, true])(
  'a service answers in English, whatever language its terminal has (quirks: %s)',
  async quirks => {
    const inEnglish = await refusals(quirks)
    speak('ca', JSON.parse(catalog))
    expect(await refusals(quirks)).toEqual(inEnglish)
  },
)
