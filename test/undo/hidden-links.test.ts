import { expect, test } from 'vitest'
import { dates, productionSite } from '../support/production-site.ts'

async function siteWithTag(wordpress: boolean) {
  const site = await productionSite({ wordpress })
  const { id } = await site.json('tags create --name Jazz --json')
  await site.json(`events create --title Concert ${dates} --tags Jazz --hide-from-listings --json`)
  return { ...site, id }
}

const sentence = /does not show hidden events here: an undo will not give them back tag "Jazz"/

test.each([
  ['tags delete', (id: number) => `tags delete ${id} --yes`],
  ['a dry run of it', (id: number) => `tags delete ${id} --dry-run`],
])('%s says what hidden events lose for good where nobody can list them', async (_, command) => {
  const { calctl, id } = await siteWithTag(false)
  expect(await calctl(command(id))).toMatchObject({ status: 0, err: expect.stringMatching(sentence) })
})

test('the question before it has the same sentence', async () => {
  const { calctl, id, writes } = await siteWithTag(false)
  const before = writes().length
  const { status, err } = await calctl(`tags delete ${id}`)
  expect([status, err]).toEqual([8, expect.stringMatching(sentence)])
  expect(writes()).toHaveLength(before)
})

test('a plan that deletes it has the sentence among its notes', async () => {
  const { calctl, id } = await siteWithTag(false)
  const { out, err } = await calctl(`tags delete - --dry-run`, `${id}\n`)
  expect(out + err).toMatch(sentence)
  expect((await calctl('tags delete - --yes --max-trash 9', `${id}\n`)).err).toMatch(sentence)
})

test('nothing is said where the site shows hidden events, which get it back', async () => {
  const { calctl, id } = await siteWithTag(true)
  const { status, err } = await calctl(`tags delete ${id} --yes`)
  expect([status, err]).toEqual([0, expect.not.stringMatching(sentence)])
})

test('a plan that merges one tag and deletes another says both, each of its own', async () => {
  const { calctl, json, file, id } = await siteWithTag(false)
  const [{ id: kept }, { id: duplicate }] = [
    await json('tags create --name Music --json'),
    await json('tags create --name Blues --json'),
  ]
  const merge = await json(`tags merge ${kept} ${duplicate} --dry-run --json`)
  const removal = JSON.parse((await calctl('tags delete - --dry-run --json', `${id}\n`)).out)
  const both = file('plan.json', JSON.stringify({ ...merge, notes: [], steps: [...merge.steps, ...removal.steps] }))
  const { out, err } = await calctl(`apply ${both} --dry-run`)
  expect(out + err).toContain('those of tag "Blues" cannot be moved, and an undo will not give them back tag "Jazz"')
})
