import { expect, test } from 'vitest'
import { hasName } from '../../src/client/find/slugs.ts'
import { tags } from '../../src/contract/terms.ts'

test.each([
  ['Jazz (tm)', 'Jazz &#x2122;'],
  ['Doors at 1/2 past', 'Doors at ½ past'],
  ['3 < 5 > 2', '3 &lt; 5 &gt; 2'],
  ['I <3 you > me', 'I &lt;3 you &gt; me'],
  ['<b>Fira</b> del llibre', 'Fira del llibre'],
  ['<script>alert(1)</script>Fira', 'Fira'],
  ['a\\nb', 'anb'],
  ['🎉 Festa', '&#x1f389; Festa'],
  ['Rock & Roll -- "live"', 'Rock &#038; Roll &#8211; &#8220;live&#8221;'],
  ['10x20', '10&#215;20'],
  ['100%Català', '100talà'],
])('a record that was sent as %s and is shown as %s has that name', (name, shown) => {
  expect(hasName(tags, { name }, { id: 1, name: shown })).toBe(true)
})

test('a record with other letters does not have that name', () => {
  expect(hasName(tags, { name: 'Jazz' }, { id: 1, name: 'Jazz 2' })).toBe(false)
})
