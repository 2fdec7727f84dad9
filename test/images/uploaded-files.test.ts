import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startServe } from '../support/start-serve.ts'
import { png } from './png.ts'

async function serve(line: string) {
  const server = await startServe(`${line} --port 0`)
  if (!('url' in server)) throw new Error(server.err)
  return server
}

const send = (url: string, body: Buffer<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'image/png', ...headers }, body })

const poster = { 'content-disposition': 'attachment; filename="Cartell.png"' }

const jsonOf = async (answer: Response) => JSON.parse(await answer.text())

test.each(['', '--quirks --open'])(
  'uploads stay next to the calendar file, and are served after a restart %s',
  async quirks => {
    const file = join(mkdtempSync(join(tmpdir(), 'calctl-')), 'calendar.json')
    const line = `--file ${file} ${quirks} --base-path /blog/wp-json`
    const first = await serve(line)
    const uploaded = await jsonOf(await send(`${first.url}/wp/v2/media`, png(80, 60), poster))
    await fetch(`${first.url}/wp/v2/media/${uploaded.id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ alt_text: 'A red poster' }),
    })
    await first.stop()

    const second = await serve(line)
    const { source_url, alt_text, media_details } = await jsonOf(
      await fetch(`${second.url}/wp/v2/media/${uploaded.id}`),
    )
    expect([alt_text, media_details.width, media_details.filesize]).toEqual(['A red poster', 80, 64])
    expect(source_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/blog\/wp-content\/uploads\/\d{4}\/\d\d\/cartell\.png$/)
    expect(Buffer.from(await (await fetch(source_url)).arrayBuffer())).toEqual(png(80, 60))
    const [year = ''] = readdirSync(`${file}.uploads`)
    const [month = ''] = readdirSync(join(`${file}.uploads`, year))
    expect(readFileSync(join(`${file}.uploads`, year, month, 'cartell.png'))).toEqual(png(80, 60))
    await second.stop()
  },
)

test('contributors and the public upload nothing', async () => {
  const { url, stop } = await serve('--memory --quirks --user ada:secret --user guest:secret:contributor')
  const media = `${new URL(url).origin}/wp/v2/media`
  const basic = (user: string) => ({ authorization: `Basic ${Buffer.from(`${user}:secret`).toString('base64')}` })
  const answers = [{}, basic('guest'), basic('ada')].map(who => send(media, png(1, 1), { ...poster, ...who }))
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([401, 403, 201])
  await stop()
})

test('a calendar file that was edited by hand leads to no file outside its folder of uploads', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'calctl-'))
  const file = join(folder, 'calendar.json')
  writeFileSync(join(folder, 'secret.png'), png(1, 1))
  const images = [{ id: 5, url: '../secret.png', mime_type: 'image/png' }]
  const site = { language: 'ca', timezone: 'UTC', quirks: false }
  writeFileSync(file, JSON.stringify({ calctl: 1, site, images }))
  const { url, stop } = await serve(`--file ${file}`)
  const { status } = await fetch(`${new URL(url).origin}/wp-content/uploads/..%2Fsecret.png`)
  expect(status).toBe(404)
  await stop()
})
