import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Rule } from '../../src/care/lint/rule.ts'
import { rules } from '../../src/care/lint/rules.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/lint.md'), 'utf8')

const row = ({ id, level, finds, limits = {}, fixes, online }: Rule): string => {
  const thresholds = Object.entries(limits).map(([name, value]) => `${name} ${value}`)
  const remarks = [...(fixes ? ['fixable'] : []), ...(online ? ['online'] : []), ...thresholds]
  return `| \`${id}\` | ${level} | ${finds.replaceAll('&', '&amp;').replaceAll('<', '&lt;')} | ${remarks.join(', ')} |`
}

test('docs/lint.md has all rules in a table, as they are', () => {
  const table = ['| Rule | Severity | Finds | |', '| --- | --- | --- | --- |', ...rules.map(row)].join('\n')
  expect(page).toContain(`${table}\n`)
})

test('each rule says what it finds, why, and how to put it right', () => {
  for (const { id, finds, why, remedy, fixes, check } of rules) {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    for (const text of [finds, why, remedy]) expect(text, id).toMatch(/^[^.]*[^.\s]$/s)
    if (fixes) expect({ id, remedy, check: typeof check }).toMatchObject({ remedy: expect.stringContaining('--fix') })
  }
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
})
