import { mkdirSync, mkdtempSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { json, type Stage, stagedSite } from '../support/staged-site.ts'
import { startServe } from '../support/start-serve.ts'
import { png } from './png.ts'

const ball = 'events create --title Ball --start-date "2027-03-04 18:30" --end-date "2027-03-04 20:00"'

/** A site, a folder with image files, and a command line in that folder. */
async function site(stage: Stage = {}, options = '') {
  const staged = await stagedSite(stage, { options })
  const { folder, seen, calctlWith } = staged
  writeFileSync(join(folder, 'poster.png'), png(80, 60, 1))
  writeFileSync(join(folder, 'other.png'), png(8, 6, 2))
  const calctl = calctlWith({}, { cwd: folder })
  const uploads = () => seen.filter(request => request === 'POST /wp-json/wp/v2/media').length
  const imageOf = async (id: number) => JSON.parse((await calctl(`events get ${id} --json`)).out).image
  return { ...staged, calctl, uploads, imageOf }
}

test('an image file is uploaded once, with its text, however many events have it', async () => {
  const { calctl, uploads, imageOf } = await site()
  const { status, err } = await calctl(`${ball} --image poster.png --image-alt "A stage"`)
  expect([status, err]).toEqual([0, expect.stringContaining('Created "Ball"')])
  expect((await calctl(`${ball.replace('Ball', 'Another')} --image ./poster.png`)).status).toBe(0)
  expect([(await imageOf(2)).id, (await imageOf(3)).id, uploads()]).toEqual([1, 1, 1])
  const { out } = await calctl('api GET /wp/v2/media')
  expect(JSON.parse(out)).toMatchObject([
    { id: 1, mime_type: 'image/png', media_details: { width: 80, height: 60 }, alt_text: 'A stage' },
  ])
})

test('an update with the image that an event has already changes nothing', async () => {
  const { calctl, uploads, folder } = await site()
  await calctl(`${ball} --image poster.png`)
  writeFileSync(join(folder, 'season.csv'), 'id,image\n2,poster.png\n')
  const { out } = await calctl('apply season.csv --resource events --dry-run')
  expect([out, uploads()]).toEqual([expect.stringContaining('1 unchanged'), 1])
})

test('an image that was removed from the site is uploaded again', async () => {
  const { calctl, uploads, imageOf } = await site()
  await calctl(`${ball} --image poster.png`)
  expect((await calctl('api DELETE /wp/v2/media/1 -f force=true')).status).toBe(0)
  expect((await calctl('events update 2 --image poster.png')).status).toBe(0)
  expect([(await imageOf(2)).id, uploads()]).toEqual([3, 2])
})

test('undo puts the earlier image back, and says that the upload stays', async () => {
  const { calctl, imageOf } = await site()
  await calctl(`${ball} --image poster.png`)
  const update = await calctl('events update 2 --image other.png')
  expect(update.err).toContain('→ "other.png" (64 bytes)')
  expect((await imageOf(2)).id).toBe(3)
  const { status, err } = await calctl('undo --yes')
  expect([status, err]).toEqual([0, expect.stringContaining('uploaded images stay on the site: other.png (image 3)')])
  expect((await imageOf(2)).id).toBe(1)
  expect((await calctl('redo --yes')).status).toBe(0)
  expect((await imageOf(2)).id).toBe(3)
})

test('a dry run shows the upload, and uploads nothing', async () => {
  const { calctl, uploads } = await site()
  const { out } = await calctl(`${ball} --image poster.png --dry-run --json`)
  const image = { $upload: { name: 'poster.png', size: 64 } }
  expect(JSON.parse(out)).toMatchObject({ steps: [{ action: 'create', values: { title: 'Ball', image } }] })
  expect(uploads()).toBe(0)
})

test.each([
  ['nothing.png', 'no such file'],
  ['folder', 'it is a directory'],
  ['empty.png', 'it is empty'],
  ['large.png', 'it is larger than'],
  ['note.png', 'it is not an image'],
  ['/dev/null', 'it is not a file'],
])('the image %s is refused before anything is sent', async (name, reason) => {
  const { calctl, folder, seen } = await site()
  mkdirSync(join(folder, 'folder'))
  writeFileSync(join(folder, 'empty.png'), '')
  writeFileSync(join(folder, 'note.png'), 'a note')
  writeFileSync(join(folder, 'large.png'), '')
  truncateSync(join(folder, 'large.png'), 2 * 1024 ** 3)
  const { status, err } = await calctl(`${ball} --image ${name}`)
  expect([status, err]).toEqual([2, expect.stringContaining(`--image: cannot read ${name}: ${reason}`)])
  expect(seen).toEqual([])
})

const uploadAnswer = (answer: ReturnType<typeof json>): Stage => ({
  answer: ({ method, url }) => (method === 'POST' && url.includes('/wp/v2/media') ? answer : undefined),
})
const refused = (status: number, code: string) => json(status, { code, message: 'Sorry.', data: { status } })

test.each([
  [refused(403, 'rest_cannot_create'), 'lets this user upload no images: Sorry'],
  [refused(413, 'too_large'), 'poster.png (64 bytes) is too large for'],
  [refused(404, 'rest_no_route'), 'takes no uploads: it has no wp/v2/media'],
  [refused(500, 'rest_upload_sideload_error'), 'refused poster.png (64 bytes): Sorry'],
])('an upload that a site refuses leaves the event as it is (%#)', async (answer, reason) => {
  const { calctl, imageOf } = await site(uploadAnswer(answer))
  await calctl(ball)
  const { status, err } = await calctl('events update 1 --title Dance --image poster.png')
  expect([status > 2, err]).toEqual([true, expect.stringContaining(reason)])
  expect(err).toContain('event 1 was not changed')
  expect(await imageOf(1)).toBe(false)
  expect(JSON.parse((await calctl('events get 1 --json')).out).title).toBe('Ball')
})

test('an upload whose answer is lost leaves the event as it is, and says that the image may be there', async () => {
  const { calctl, imageOf } = await site({
    after(answer, { method, url }) {
      if (method === 'POST' && url.includes('/wp/v2/media')) Object.assign(answer, { status: 502, body: '' })
    },
  })
  await calctl(ball)
  const { status, err } = await calctl('events update 1 --image poster.png')
  expect([status, err]).toEqual([5, expect.stringContaining('the image may still have been uploaded; ')])
  expect(err).toContain('was not changed')
  expect(await imageOf(1)).toBe(false)
})

test('a sheet names images next to it, which are uploaded once, and a row whose image is missing is invalid', async () => {
  const { calctl, folder, uploads } = await site()
  mkdirSync(join(folder, 'sheets'))
  writeFileSync(join(folder, 'sheets/flyer.png'), png(20, 20, 3))
  const row = (title: string, image: string) => `${title},2027-06-04 19:00,2027-06-04 21:00,${image}\n`
  const rows = ['A', 'B'].map(title => row(title, 'flyer.png')).join('')
  writeFileSync(join(folder, 'sheets/season.csv'), `title,start_date,end_date,image\n${rows}${row('C', 'gone.png')}`)
  const dry = await calctl('apply sheets/season.csv --dry-run --skip-invalid')
  expect(dry.out).toContain('image "flyer.png" (64 bytes)')
  expect(dry.err).toContain('row 4: image: cannot read gone.png: no such file')
  const { err } = await calctl('apply sheets/season.csv --yes --skip-invalid')
  expect([err, uploads()]).toEqual([expect.stringContaining('error: 1 record was left out as invalid'), 1])
  const { out } = await calctl('events list --all-dates --fields image.id -o tsv')
  expect(out).toBe('image.id\n1\n1\n')
})

test.each(['image_alt', 'Text alternatiu', 'Texto alternativo', 'Alt text'])(
  'a sheet describes the image files that it names, under %s',
  async heading => {
    const { calctl, folder } = await site()
    const row = (title: string, image: string) => `${title},2027-06-04 19:00,2027-06-04 21:00,${image}\n`
    const rows = row('A', 'poster.png,A stage') + row('B', 'https://a.example/b.png,A choir')
    writeFileSync(join(folder, 'season.csv'), `title,start_date,end_date,image,${heading}\n${rows}`)
    const { err } = await calctl('apply season.csv --yes --skip-invalid')
    expect(err).toContain('season.csv: ignored image_alt where no image file is uploaded: it describes nothing else')
    const { out } = await calctl('api GET /wp/v2/media')
    expect(JSON.parse(out)).toContainEqual(expect.objectContaining({ alt_text: 'A stage' }))
  },
)

test('a sheet cannot name files outside its folder, and a sheet from the web no files at all', async () => {
  const { calctl, folder, uploads } = await site()
  mkdirSync(join(folder, 'sheets'))
  const sheet = (image: string) => `title,start_date,end_date,image\nA,2027-06-04 19:00,2027-06-04 21:00,${image}\n`
  writeFileSync(join(folder, 'sheets/season.csv'), sheet('../poster.png'))
  const { status, err } = await calctl('apply sheets/season.csv --yes')
  expect([status, err]).toEqual([2, expect.stringContaining('is not in the folder of sheets/season.csv')])
  const server = createServer((_, response) => response.end(sheet('poster.png')))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/season.csv`
  const web = await calctl(`apply ${address} --yes`)
  expect([web.status, web.err]).toEqual([0, expect.stringContaining('ignored the image poster.png')])
  expect(uploads()).toBe(0)
})

test('--copy-images uploads copies of images on other sites, each once, and applying again changes nothing', async () => {
  const { calctl, folder, uploads } = await site()
  let downloads = 0
  const server = createServer((_, response) => {
    downloads += 1
    response.setHeader('content-type', 'image/png').end(png(30, 30, 4))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const image = `http://127.0.0.1:${(server.address() as AddressInfo).port}/flyer.png`
  const rows = ['A', 'B'].map(title => `${title},2027-06-04 19:00,2027-06-04 21:00,${image}\n`).join('')
  writeFileSync(join(folder, 'season.csv'), `title,start_date,end_date,image\n${rows}`)
  expect((await calctl('apply season.csv --copy-images --dry-run')).out).toContain(`image a copy of "${image}"`)
  expect([downloads, uploads()]).toEqual([0, 0])
  const { status, err } = await calctl('apply season.csv --copy-images --yes --debug')
  expect([status, uploads()]).toEqual([0, 1])
  expect(err).toContain(`GET ${image} → 200`)
  const again = await calctl('apply season.csv --copy-images --yes')
  expect(again.err).toContain('2 unchanged')
})

test('a run that stopped after an upload is resumed without a second one', async () => {
  let isClosed = true
  const refusesEvents: Stage = {
    answer: ({ method, url }) =>
      isClosed && method === 'POST' && url.includes('/v1/events') ? refused(403, 'rest_forbidden') : undefined,
  }
  const { calctl, folder, uploads, imageOf } = await site(refusesEvents)
  const rows = ['A', 'B'].map(title => `${title},2027-06-04 19:00,2027-06-04 21:00,poster.png\n`).join('')
  writeFileSync(join(folder, 'season.csv'), `title,start_date,end_date,image\n${rows}`)
  expect((await calctl('apply season.csv --yes')).status).toBe(6)
  isClosed = false
  expect((await calctl('runs resume')).status).toBe(0)
  expect([(await imageOf(2)).id, (await imageOf(3)).id, uploads()]).toEqual([1, 1, 1])
})

test('serve --from --copy-images serves the images itself, and one that is gone stays where it was', async () => {
  const { calctlWith, folder, env } = await site()
  const source = await startServe('--memory --quirks --open --namespace tribe/events/v1 --port 0')
  if (!('url' in source)) throw new Error(source.err)
  const calctl = calctlWith({ CALCTL_BASE_URL: source.url }, { cwd: folder })
  await calctl(`${ball} --image poster.png`)
  await calctl(`${ball.replace('Ball', 'Gone')} --image http://127.0.0.1:1/gone.png`)
  await calctl(`profiles add town --base-url ${source.url} --namespace tribe/events/v1`)
  const { CALCTL_BASE_URL: _url, CALCTL_NAMESPACE: _namespace, ...settings } = env
  const line = '--from town --copy-images --retries 0 --file copy.json --port 0'
  const copy = await startServe(line, { cwd: folder, env: settings })
  if (!('url' in copy)) throw new Error(copy.err)
  const events = `${copy.url}/calendar/events/v1/events?starts_after=2027-01-01`
  const [found, gone] = JSON.parse(await (await fetch(events)).text()).events
  expect(found.image.url).toMatch(`${copy.url}/wp-content/uploads/`)
  expect(Buffer.from(await (await fetch(found.image.url)).arrayBuffer())).toEqual(png(80, 60, 1))
  expect([gone.image.url, copy.err()]).toEqual(['http://127.0.0.1:1/gone.png', expect.stringContaining('not copied: ')])
  await copy.stop()
  await source.stop()
})

test('a plan whose image changed since it was saved is not applied', async () => {
  const { calctl, folder, uploads } = await site()
  await calctl(ball)
  writeFileSync(join(folder, 'season.csv'), 'id,image\n1,poster.png\n')
  await calctl('diff season.csv --resource events --save plan.json')
  writeFileSync(join(folder, 'poster.png'), png(80, 60, 9))
  const { status, err } = await calctl('apply plan.json --yes')
  expect([status > 2, err]).toEqual([true, expect.stringContaining('poster.png has changed since it was read')])
  expect(uploads()).toBe(0)
})

test('the embedded calendar keeps images next to its file', async () => {
  const { calctlWith, folder } = await site()
  const { openEmbedded } = await import('../support/program.ts')
  const calctl = calctlWith(
    { CALCTL_BASE_URL: undefined, CALCTL_NAMESPACE: undefined, CALCTL_USER: undefined, CALCTL_PASSWORD: undefined },
    { cwd: folder, openCalendar: (place, onlyReads) => openEmbedded(place, () => new Date(), { onlyReads }) },
  )
  const at = '--base-url file:town.json'
  writeFileSync(join(folder, 'town.json'), '{"calctl":1,"site":{"language":"ca","timezone":"UTC","quirks":false}}')
  expect((await calctl(`${ball} --image poster.png ${at}`)).err).toContain('Created "Ball"')
  const { out } = await calctl(`events get 2 --fields image.url ${at}`)
  expect(out).toMatch(/^file:\/\/.*\/town\.json\.uploads\/\d{4}\/\d\d\/poster\.png\n$/)
  expect(readdirSync(join(folder, 'town.json.uploads'))).toHaveLength(1)
})

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
