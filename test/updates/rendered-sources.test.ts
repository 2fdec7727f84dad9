import { expect, test } from 'vitest'
import { isRenderingOf } from '../../src/contract/kinds/rendered-text.ts'
import { dates, productionSite } from '../support/production-site.ts'

/** A site without WordPress's own API, and the events of these descriptions. */
async function siteWith(...descriptions: string[]) {
  const image = { id: 7, url: 'https://example.org/fair.jpg' }
  const site = await productionSite({ wordpress: false, rows: { images: [image] } })
  const ids: number[] = []
  for (const description of descriptions) {
    const data = JSON.stringify({ description })
    const { id } = await site.json(`events create --title Fair ${dates} --data '${data}' --image 7 --json`)
    ids.push(id)
  }
  return { ...site, ids }
}

const blocks = ['Come', 'Stay']
  .map(text => `<!-- wp:paragraph -->\n<p>${text}</p>\n<!-- /wp:paragraph -->`)
  .join('\n\n')
const columns = '<!-- wp:columns --><div class="wp-block-columns">Two</div><!-- /wp:columns -->'

test.each([
  ['blocks', blocks],
  ['a block with a class of its own', columns],
  ['a gallery', 'See:\n\n[gallery ids="7"]'],
  ['a shortcode that shows nothing in its line', '[gallery ids="99"]\nText'],
  ['a shortcode that shows nothing between two paragraphs', 'One\n\n[gallery ids="99"]\n\nTwo'],
])('an update that would lose %s is reported before anything is sent', async (_, description) => {
  const { calctl, ids, writes, json } = await siteWith(description)
  const before = writes().length
  const update = `events update ${ids[0]} --description New`
  const refused = await calctl(update)
  expect([refused.status, refused.err]).toEqual([
    8,
    expect.stringContaining('This replaces blocks or shortcodes that http'),
  ])
  expect(refused.err).toContain('add --yes')
  expect(writes()).toHaveLength(before)
  const done = await calctl(`${update} --yes`)
  expect([done.status, done.err]).toEqual([0, expect.stringContaining(`description of event ${ids[0]}`)])
  expect((await json(`events get ${ids[0]} --json`)).description).toBe('<p>New</p>')
})

test.each([
  ['a text without blocks and shortcodes', 'One <b>two</b>\nthree\n\n<ul>\n<li>four</li>\n</ul>', '--description New'],
  ['another field of an event with blocks', blocks, '--title New'],
  ['blocks by other blocks', blocks, `--description '${columns}'`],
  ['a gallery by another one', '[gallery ids="7"]', `--description '[gallery ids="7,8"]'`],
])('an update of %s loses nothing, and asks nothing', async (_, description, options) => {
  const { calctl, ids } = await siteWith(description)
  const { status, err } = await calctl(`events update ${ids[0]} ${options} -q`)
  expect([status, err]).toEqual([0, ''])
})

test('the plan of a bulk update, and that of a file, say which texts would lose their blocks', async () => {
  const { calctl, ids, writes, file } = await siteWith(blocks, 'Plain', columns)
  const before = writes().length
  const lines = `${ids.join('\n')}\n`
  const bulk = await calctl('events update - --description New --dry-run', lines)
  const named = `undo cannot restore them: description of event ${ids[0]} (line 1) and description of event ${ids[2]} (line 3)`
  expect([bulk.status, bulk.out]).toEqual([0, expect.stringContaining(named)])
  const sheet = file('fair.csv', `id,description\n${ids[1]},New\n${ids[2]},New\n`)
  const diff = await calctl(`diff --exit-code ${sheet} --resource events`)
  expect([diff.status, diff.out]).toEqual([1, expect.stringContaining(`description of event ${ids[2]} (row 3)`)])
  expect(diff.out).not.toContain(`description of event ${ids[1]} (`)
  expect(writes()).toHaveLength(before)
  const applied = await calctl(`apply ${sheet} --resource events --yes`)
  expect([applied.status, applied.err]).toEqual([0, expect.stringContaining('this replaces blocks or shortcodes that')])
})

test('--dry-run shows the request, and what it would lose', async () => {
  const { calctl, ids } = await siteWith(blocks)
  const { status, out, err } = await calctl(`events update ${ids[0]} --description New --dry-run`)
  expect([status, out, err]).toEqual([0, expect.stringContaining('"New"'), expect.stringContaining('this replaces')])
})

test('where stored texts can be read, nothing is lost, and nothing asked', async () => {
  const site = await productionSite()
  const { id } = await site.json(
    `events create --title Fair ${dates} --data '${JSON.stringify({ description: blocks })}' --json`,
  )
  const { status, err } = await site.calctl(`events update ${id} --description New -q`)
  expect([status, err]).toEqual([0, ''])
  const viaEvents = await site.calctl(`events update ${id} --description '${columns}' -q --via events`)
  expect([viaEvents.status, viaEvents.err]).toEqual([0, ''])
  expect((await site.calctl(`events update ${id} --description New --via events`)).status).toBe(8)
})

/** Every kind of markup that WordPress changes when it shows a text. */
const texts = [
  '<p><img src="http://x.test/a.jpg" /> Text</p>',
  '<img src="http://x.test/a.jpg" alt="x">',
  `A <img src='http://x.test/a.jpg'> b <img src="http://x.test/b.jpg" width="10" height="20"> c`,
  '<p>Vídeo:</p><iframe src="https://www.youtube.com/embed/x"></iframe>',
  '<table><tr><td>A</td><td>B</td></tr></table>',
  '<ul><li>A</li><li>B</li></ul>\nText',
  '<pre>a\n  b</pre>x',
  `He said "hi" & 'bye' -- then... 10x20 (c) 3' 4"`,
  'See <a href="http://x.test/?a=1&b=2" target="_blank">x</a> or http://y.test/?q=1&r=2',
  '<figure><img src="http://x.test/a.jpg"><figcaption>Cap</figcaption></figure>',
  'Festa 🎉 ara <b>negreta<br>nova</b>',
  '<video src="http://x.test/v.mp4" controls></video> mira',
  '<p>Un <b>dos <i>tres</p><div>quatre',
  'Abans<!--more-->Després [gallery ids="1"] fi',
  '<h2>T</h2>text<hr>més<blockquote>cita</blockquote>',
  'un\u00a0dos&nbsp;tres  quatre\n\n\ncinc\ttab',
  '<a href="http://x.test/"><img src="http://x.test/a.jpg" srcset="b.jpg 2x"></a>\n<p></p>\n',
  '<details><summary>S</summary>D</details><dl><dt>a</dt><dd>b</dd></dl>',
  'A <style>p{}</style>C',
]

test.each([true, false])('texts with markup are not written again (wp/v2: %s)', async wordpress => {
  const { calctl, file } = await productionSite({ wordpress })
  const dates = { start_date: '2027-01-01 10:00', end_date: '2027-01-01 11:00' }
  const records = texts.map((description, index) => ({
    resource: 'events',
    title: `Acte ${index}`,
    ...dates,
    description,
  }))
  const path = file('texts.json', JSON.stringify(records))
  expect((await calctl(`apply ${path} --yes`)).err).toContain(`${texts.length} done`)
  expect(await calctl(`apply ${path} --yes`)).toMatchObject({
    status: 0,
    err: expect.stringContaining(`${texts.length} unchanged`),
  })
})

test.each([
  ['<p>Concert <b>de</b> Nadal</p>', '<p>Concert <i>de</i> Nadal</p>'],
  ['<a href="http://x.test/a">x</a>', '<a href="http://x.test/b">x</a>'],
  ['<img decoding="async" src="http://x.test/a.jpg">', '<img src="http://x.test/b.jpg">'],
  ['<img src="http://x.test/a.jpg" alt="A">', '<img src="http://x.test/a.jpg" alt="B">'],
  ['<ul><li>A</li><li>B</li></ul>', '<ul><li>A</li></ul>'],
  ['<p>un dos</p>', '<p>undos</p>'],
  ['<b>un</b> dos', '<b>un</b>dos'],
  ['<h2>T</h2>', '<h3>T</h3>'],
])('%s is not what a site shows of %s', (shown, sent) => {
  expect(isRenderingOf(shown, sent)).toBe(false)
})
