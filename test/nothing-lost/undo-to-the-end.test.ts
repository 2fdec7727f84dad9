import { expect, test } from 'vitest'
import { dates, productionSite } from './production-site.ts'

/** A site with an event that has a cost and never had a website, so that the address of its page is shown as one. */
async function siteWithConcert() {
  const site = await productionSite()
  await site.json(`events create --title "Rock & roll" --cost 5 ${dates} --json`)
  const [{ id }] = await site.json('events list --all-dates --json')
  const state = async () => {
    const listed = await site.json(
      `events list --all-dates --status publish,draft,trash --fields slug,status,cost --json`,
    )
    return listed.map(({ slug, status, cost }: Record<string, string>) => [slug, status, cost].join())
  }
  return { ...site, id, state }
}

test('an event without a website comes back from the trash as it was, again and again', async () => {
  const { calctl, id, state } = await siteWithConcert()
  expect(await calctl(`events delete ${id} --yes -q`)).toMatchObject({ status: 0 })
  for (const [command, expected] of [
    ['undo', 'rock-roll,publish,$5'],
    ['redo', 'rock-roll__trashed,trash,$5'],
    ['undo', 'rock-roll,publish,$5'],
  ]) {
    const { status, err } = await calctl(`${command} --yes`)
    expect([command, status, err]).toEqual([command, 0, expect.not.stringContaining('kept')])
    expect(await state()).toEqual([expected])
  }
})

test('a new slug changes the page that is shown as the website, and nothing else', async () => {
  const { calctl, id } = await siteWithConcert()
  expect(await calctl(`events update ${id} --slug punk -q`)).toMatchObject({ status: 0 })
  expect(await calctl('undo --yes')).toMatchObject({ status: 0 })
})
