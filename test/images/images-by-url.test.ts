import { expect, test } from 'vitest'
import type { Request, Response } from '../../src/contract/exchange.ts'
import { productionSite } from '../support/production-site.ts'

/** A site that downloads an image each time it is given a URL, and stores it under a name that does not resemble it. */
async function siteWithUploads(nameOf = (_url: string, upload: number) => `IMG_${1000 + upload}.jpg`) {
  const uploads: string[] = []
  const intercept = async (request: Request, pass: (request: Request) => Promise<Response>) => {
    const values = request.method === 'POST' && request.body ? JSON.parse(String(request.body)) : {}
    if (!/^https?:/.test(values.image)) return undefined
    uploads.push(values.image)
    const image = `http://calendar.test/wp-content/uploads/2026/11/${nameOf(values.image, uploads.length)}`
    return pass({ ...request, body: JSON.stringify({ ...values, image }) })
  }
  return { ...(await productionSite({ intercept })), uploads }
}

const sheet = (image: string) =>
  `title,start_date,end_date,image\nBall,2026-12-05 19:00,2026-12-05 21:00,${image}\nFira,2026-12-06 19:00,2026-12-06 21:00,${image}\n`

test('a file with images by URL is the same the second time, and uploads nothing again', async () => {
  const { calctl, file, uploads } = await siteWithUploads()
  const path = file('events.csv', sheet('https://source.example/photo.php?id=5'))
  expect((await calctl(`apply ${path} --yes`)).status).toBe(0)
  expect(uploads).toHaveLength(1)
  const second = await calctl(`apply ${path} --yes`)
  expect([second.status, second.err + second.out]).toEqual([0, expect.stringContaining('2 unchanged')])
  expect(uploads).toHaveLength(1)
})

test('another URL is another image', async () => {
  const { calctl, file, uploads } = await siteWithUploads()
  await calctl(`apply ${file('events.csv', sheet('https://source.example/photo.php?id=5'))} --yes`)
  const { status, err } = await calctl(
    `apply ${file('events.csv', sheet('https://source.example/photo.php?id=6'))} --yes`,
  )
  expect([status, err]).toEqual([0, expect.stringContaining('2 to update')])
  expect(uploads).toHaveLength(2)
})

test('an update with an image by URL is as it was asked for, and the second one uploads nothing', async () => {
  const { calctl, json, uploads } = await siteWithUploads()
  const { id } = await json(
    'events create --title Ball --start-date "2026-12-05 19:00" --end-date "2026-12-05 21:00" --json',
  )
  const update = `events update ${id} --image https://source.example/photo.php?id=5`
  expect(await calctl(update)).toMatchObject({ status: 0, err: expect.not.stringContaining('should be') })
  expect(await calctl(update)).toMatchObject({ status: 0 })
  expect(uploads).toHaveLength(1)
})

test('on another machine an image is recognized by the name that a site makes of the one in its URL', async () => {
  const { calctl, file, forget, uploads } = await siteWithUploads((_, upload) => `Cartell-destiu-gran-${upload}.jpg`)
  const path = file('events.csv', sheet("https://source.example/Cartell%20d'estiu%20gran.jpg"))
  expect((await calctl(`apply ${path} --yes`)).status).toBe(0)
  forget()
  const elsewhere = await calctl(['apply', path, '--yes'])
  expect(elsewhere.err + elsewhere.out).toContain('2 unchanged')
  expect(uploads).toHaveLength(1)
})

test('a poster of many new events is loaded once, and all of them have it', async () => {
  const { calctl, file, json, uploads } = await siteWithUploads()
  const rows = Array.from({ length: 12 }, (_, day) => {
    const date = `2026-12-${String(day + 1).padStart(2, '0')}`
    return `Ball ${day},${date} 19:00,${date} 21:00,https://source.example/${day % 2 ? 'a' : 'b'}.jpg`
  })
  const path = file('events.csv', ['title,start_date,end_date,image', ...rows].join('\n'))
  expect((await calctl(`apply ${path} --yes --jobs 4`)).status).toBe(0)
  expect(uploads.toSorted()).toEqual(['https://source.example/a.jpg', 'https://source.example/b.jpg'])
  const events = await json('events list --all-dates --all --json')
  const images = events.map(({ image }: { image: { id: number } }) => image.id)
  expect([events.length, new Set(images).size]).toEqual([12, 2])
})

test('where a site does not load an image, every event with it says so', async () => {
  const uploads: string[] = []
  const { calctl, file } = await productionSite({
    intercept: async ({ method, body }) => {
      const { image } = method === 'POST' && body ? JSON.parse(String(body)) : {}
      if (!image) return undefined
      uploads.push(image)
      const refused = { code: 'rest_invalid_param', message: 'Invalid parameter(s): image', data: { status: 400 } }
      return { status: 400, headers: { 'content-type': 'application/json' }, body: JSON.stringify(refused) }
    },
  })
  const { status, err } = await calctl(
    `apply ${file('events.csv', sheet('https://source.example/gone.jpg'))} --yes --jobs 2`,
  )
  expect([status, err, uploads.length]).toEqual([6, expect.stringContaining('image'), 2])
})
