/** A site shows a price as it was written, or the price is refused with all its words, wherever it was written. */
import { expect, test } from 'vitest'
import { dates, productionSite } from '../support/production-site.ts'

type Site = Awaited<ReturnType<typeof productionSite>>

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
const when = ['--start-date', '2026-12-05 19:00', '--end-date', '2026-12-05 21:00']

/** Each writes the price to event 1, or to a new event. */
const entrances: Readonly<Record<string, (site: Site, text: string) => ReturnType<Site['calctl']>>> = {
  create: ({ calctl }, text) => calctl(['events', 'create', '--title', 'Nou', ...when, `--cost=${text}`]),
  'a dry run': ({ calctl }, text) =>
    calctl(['events', 'create', '--title', 'Nou', ...when, `--cost=${text}`, '--dry-run']),
  '--data': ({ calctl }, text) =>
    calctl(['events', 'create', '--title', 'Nou', ...when, '--data', JSON.stringify({ cost: text })]),
  update: ({ calctl }, text) => calctl(['events', 'update', '1', `--cost=${text}`]),
  'a sheet': ({ calctl, file }, text) =>
    calctl(
      `apply ${file('a.csv', `title,start_date,end_date,cost\nNou,2026-12-05 19:00,2026-12-05 21:00,${cell(text)}\n`)} --yes`,
    ),
  'a sheet with IDs': ({ calctl, file }, text) =>
    calctl(`apply ${file('b.csv', `id,cost\n1,${cell(text)}\n`)} --resource events --yes`),
}

/** A site with an event. */
async function siteWithEvent() {
  const site = await productionSite()
  await site.json(`events create --title Ball ${dates} --cost 99 --json`)
  return site
}

const elsewhere = 'put it into the description'

/** What is written instead, or nothing if the text may mean other amounts than those in it. */
const refused = {
  '15 € - 12 €': 'write: 12 € - 15 €',
  '30€–25€': 'write: 25 € - 30 €',
  '12 € - 12 €': 'write: 12 €',
  '15 - 12': 'write: 12 - 15',
  '10€ – $20': elsewhere,
  '$10 €': elsewhere,
  '+ 5 €': elsewhere,
  '~ 10 €': elsewhere,
  '≈10 €': elsewhere,
  '12,50 Fr': elsewhere,
  '5 € i mig': elsewhere,
  '12:30': elsewhere,
  '1_000': elsewhere,
  '1/2 €': '0.50 €',
}

test('a price that a site cannot show is refused everywhere with its words', async () => {
  const site = await siteWithEvent()
  const before = site.writes().length
  for (const [text, hint] of Object.entries(refused)) {
    for (const [name, write] of Object.entries(entrances)) {
      const { status, out, err } = await write(site, text)
      expect([text, name, status === 0, out + err]).toEqual([text, name, false, expect.stringContaining(hint)])
      expect(err + out, name).toContain(text)
    }
  }
  expect(site.writes()).toHaveLength(before)
})

test.each([
  ['8´50 €', '8.50€'],
  ['8`50 €', '8.50€'],
  ['8′50 €', '8.50€'],
  ['12 € - 15 €', '12€ – 15€'],
  ['12 - 15', '$12 – $15'],
  ['15 Fr', '15Fr'],
])('the price %s is shown as %s everywhere, and said so', async (text, shown) => {
  const site = await siteWithEvent()
  for (const [name, write] of Object.entries(entrances)) {
    if (name === 'a dry run') continue
    await site.calctl('events update 1 --cost 99')
    await site.calctl('events delete 2 --yes')
    const { status, err } = await write(site, text)
    const costs = (await site.json('events list --all-dates --json')).map(({ cost }: { cost: string }) => cost)
    expect([name, status, costs], err).toEqual([name, 0, expect.arrayContaining([shown])])
  }
})

test('a created record is printed as the site shows it', async () => {
  const site = await siteWithEvent()
  for (const cost of ['8 € - 12 €', '£8 - £12', '0', '15 €']) {
    const created = await site.json(['events', 'create', '--title', 'Nou', ...when, '--cost', cost, '--json'])
    const { json_ld: _, ...shown } = await site.json(`events get ${created.id} --json`)
    expect(created).toMatchObject(shown)
  }
})
