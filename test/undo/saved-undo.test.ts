import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dates, productionSite } from '../support/production-site.ts'

const saved = () => join(mkdtempSync(join(tmpdir(), 'undo-')), 'plan.json')

/** Creates events, one run. */
async function siteWith(count: number) {
  const site = await productionSite()
  const rows = Array.from({ length: count }, (_, index) => ({ title: `Acte ${index}`, ...when }))
  const { status, err } = await site.calctl('events create --from - --yes', JSON.stringify(rows))
  expect(status, err).toBe(0)
  const [{ run }] = await site.json('runs list --json')
  const titles = async () => (await site.json('events list --all-dates --json')).length
  return { ...site, run, titles }
}

const when = { start_date: '2027-03-04 19:00', end_date: '2027-03-04 20:00' }

test('a saved undo that is applied undoes its run, which counts as undone, and is redone', async () => {
  const { calctl, json, run, titles } = await siteWith(2)
  const plan = saved()
  expect(await calctl(`undo ${run} --save ${plan}`)).toMatchObject({ status: 0 })
  expect(await calctl(`apply ${plan} --yes`)).toMatchObject({ status: 0 })
  expect(await titles()).toBe(0)
  expect((await json('runs list --json'))[0]).toMatchObject({ undoes: run })
  expect(await calctl(`undo ${run} --yes`)).toMatchObject({
    status: 4,
    err: expect.stringContaining('nothing left to undo'),
  })
  expect(await calctl(`redo ${run} --yes`)).toMatchObject({ status: 0 })
  expect(await titles()).toBe(2)
})

test('a saved undo of many creates needs no --max-trash, and a forged one that removes other records does', async () => {
  const { calctl, json, run, titles } = await siteWith(21)
  const plan = saved()
  await calctl(`undo ${run} --save ${plan}`)
  await calctl(`events create --title Altre ${dates} -q`)
  const [{ run: other }] = await json('runs list --json')
  const forged = saved()
  writeFileSync(
    forged,
    readFileSync(plan, 'utf8')
      .replace(`"undoes":"${run}"`, `"undoes":"${other}"`)
      .replace(/,"checksum":"\w+"/, ''),
  )
  expect(await calctl(`apply ${forged} --yes`)).toMatchObject({
    status: 8,
    err: expect.stringContaining('--max-trash 21'),
  })
  expect(await titles()).toBe(22)
  expect(await calctl(`apply ${plan} --yes`)).toMatchObject({ status: 0 })
  expect(await titles()).toBe(1)
})

test('a saved undo that leaves something alone can be applied', async () => {
  const { calctl, run, json } = await siteWith(2)
  const [{ id }] = await json('events list --all-dates --json')
  await calctl(`events update ${id} --title Canviat -q`)
  const plan = saved()
  await calctl(`undo ${run} --save ${plan}`)
  expect((await calctl(`apply ${plan} --yes`)).err).not.toContain('unknown')
})
