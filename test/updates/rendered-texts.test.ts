import { expect, test } from 'vitest'
import { isRenderingOf } from '../../src/contract/kinds/rendered-text.ts'
import { productionSite } from '../support/production-site.ts'

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
    err: expect.stringContaining(`+ create 0  ~ update 0  - trash 0  = same ${texts.length}`),
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
