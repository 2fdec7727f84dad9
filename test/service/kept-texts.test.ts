import { expect, test } from 'vitest'
import { concert, testService } from '../support/test-service.ts'
import { compareWithNewServices } from './kept-texts.ts'

/** `npm run soak` sets many more, with other seeds. */
const rounds = Number(process.env.SOAK_ROUNDS ?? 0)
const seeds = rounds > 0 ? Array.from({ length: rounds * 20 }, () => Math.floor(Math.random() * 1e9)) : [1, 2]

test('what a calendar answers with texts that it has kept is what it answers without them', async () => {
  for (const seed of seeds) {
    const { compared, written } = await compareWithNewServices(seed, 120)
    expect(Math.min(compared / 200, written / 45)).toBeGreaterThan(0.8)
  }
})

test('a gallery does not show an image that was deleted', async () => {
  const { ask, store } = testService({ quirks: true })
  const { body: first } = await ask('POST /events', { json: { ...concert, image: 'https://pictures.test/a.jpg' } })
  const { id } = first.image
  await ask('POST /events', { json: { ...concert, title: 'Fotos', description: `Ball [gallery ids="${id}"]` } })
  const descriptions = async () =>
    (await ask('GET /events')).body.events.map(({ description }: { description: string }) => description).join()
  expect(await descriptions()).toContain('a.jpg')
  await store.write(writing => writing.delete('images', id))
  expect(await descriptions()).not.toContain('a.jpg')
})
