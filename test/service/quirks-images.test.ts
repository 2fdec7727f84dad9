import { expect, test } from 'vitest'
import { startServe } from '../support/start-serve.ts'

/** The beginning of a PNG, which says how large it is. */
function png(width: number, height: number) {
  const file = Buffer.alloc(64)
  file.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
  file.writeUInt32BE(width, 16)
  file.writeUInt32BE(height, 20)
  return file
}

const jsonOf = async (answer: Response) => JSON.parse(await answer.text())

async function site() {
  const server = await startServe('--memory --quirks --open --base-path /wp-json --namespace tribe/events/v1 --port 0')
  if (!('url' in server)) throw new Error(server.err)
  const root = server.url.replace(/\/wp-json.*$/, '')
  const upload = (name: string | undefined, body: Uint8Array<ArrayBuffer> | string) =>
    fetch(`${root}/wp-json/wp/v2/media`, {
      method: 'POST',
      headers: {
        'content-type': 'image/png',
        ...(name && { 'content-disposition': `attachment; filename="${name}"` }),
      },
      body,
    })
  return { ...server, root, upload }
}

test('an image is uploaded, described, found by its name, and served from the folder of uploads', async () => {
  const { root, upload, stop } = await site()
  const answer = await upload('Cartell gran.png', png(80, 60))
  const { id, source_url, media_details } = await jsonOf(answer)
  expect([answer.status, answer.headers.get('location')]).toEqual([201, `${root}/wp-json/wp/v2/media/${id}`])
  expect(source_url).toMatch(/\/wp-content\/uploads\/\d{4}\/\d\d\/cartell-gran\.png$/)
  expect(media_details).toMatchObject({ width: 80, height: 60, filesize: 64 })
  const file = await fetch(source_url)
  expect([file.headers.get('content-type'), Buffer.from(await file.arrayBuffer())]).toEqual(['image/png', png(80, 60)])
  await fetch(`${root}/wp-json/wp/v2/media/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ alt_text: 'A red poster', title: 'Poster' }),
  })
  const found = await fetch(`${root}/wp-json/wp/v2/media?search=cartell&_fields=id,alt_text,title`)
  expect(await jsonOf(found)).toEqual([{ id, alt_text: 'A red poster', title: { rendered: 'Poster' } }])
  const again = await jsonOf(await upload('Cartell gran.png', png(80, 60)))
  expect(again.source_url).toMatch(/\/cartell-gran-1\.png$/)
  await stop()
})

test('what is no image, or has no name, is not uploaded, and an ID that no image has is refused', async () => {
  const { root, upload, stop } = await site()
  const refusals = [
    await upload('fake.png', 'not an image'),
    await upload('note.txt', png(1, 1)),
    await upload(undefined, png(1, 1)),
  ]
  const codes = await Promise.all(refusals.map(async answer => [answer.status, (await jsonOf(answer)).code]))
  expect(codes).toEqual([
    [500, 'rest_upload_sideload_error'],
    [500, 'rest_upload_sideload_error'],
    [400, 'rest_upload_no_content_disposition'],
  ])
  const event = { title: 'Ball', start_date: '2027-03-04 18:30:00', end_date: '2027-03-04 20:00:00', image: '99' }
  const answer = await fetch(`${root}/wp-json/tribe/events/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(event),
  })
  expect([answer.status, (await jsonOf(answer)).message]).toEqual([400, 'Invalid parameter(s): image'])
  await stop()
})
