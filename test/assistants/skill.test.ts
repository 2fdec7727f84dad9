import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { unparsable } from '../support/hints.ts'

test.each(['skills/calctl/SKILL.md', 'docs/assistants.md'])('every command in %s parses', async file => {
  const text = readFileSync(file, 'utf8')
  const lines = [...text.matchAll(/^calctl .*$|`(calctl [^`]*)`/gm)].map(([line, inText]) => inText ?? line)
  expect(lines.length).toBeGreaterThan(2)
  expect(await unparsable(lines.map(line => `hint: ${line}`).join('\n'))).toEqual([])
})

test('the skill has ten commands, and a name and a description for clients', () => {
  const text = readFileSync('skills/calctl/SKILL.md', 'utf8')
  expect(text).toMatch(/^---\nname: calctl\ndescription: .{50,1000}\n---\n/)
  expect(text.match(/^calctl .*$/gm)).toHaveLength(10)
})
