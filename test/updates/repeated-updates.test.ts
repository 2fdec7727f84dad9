import { expect, test } from 'vitest'
import type { Request, Response } from '../../src/contract/exchange.ts'
import { fates, html } from '../support/lost-answers.ts'
import { dates, productionSite } from '../support/production-site.ts'

const closed: Response = { status: 404, headers: html, body: '<html></html>' }

/** A site with an event, whose first update gets a fate; an editor changes the event before it is sent again. */
async function editedMeanwhile({
  fate,
  wordpress,
  edit,
}: {
  readonly fate: keyof typeof fates
  readonly wordpress: boolean
  readonly edit: { readonly method?: string; readonly path?: (id: number) => string; readonly values?: object }
}) {
  let isArmed = false
  const site = await productionSite({
    async intercept(request, pass) {
      if (!wordpress && request.path.startsWith('/wp/v2')) return closed
      if (!isArmed || request.method !== 'POST') return undefined
      isArmed = false
      const answer = await fates[fate](() => pass(request))
      const { method = 'POST', path = id => `/wp/v2/tribe_events/${id}`, values } = edit
      const { body: _, ...others } = request
      const change: Request = { ...others, method, path: path(id), ...(values && { body: JSON.stringify(values) }) }
      expect((await pass(change)).status).toBe(200)
      return answer
    },
  })
  const event = await site.json(
    `events create --title Jazz ${dates} --website https://jazz.example --cost 5 --status publish --json`,
  )
  const id = event.id as number
  isArmed = true
  return { ...site, id }
}

const draft = { values: { status: 'draft', excerpt: 'Sold out', meta: { _EventCost: '8' } } }
const updates = ['--title "Jazz night"', '--featured', '--title "Jazz night" --featured']

for (const fate of ['lost', 'refused', 'done'] as const)
  for (const wordpress of [true, false])
    test.each(updates)(
      `an update that is sent again keeps what an editor changed meanwhile (${fate}, wp/v2: ${wordpress}, %s)`,
      async options => {
        const { calctl, json, id } = await editedMeanwhile({ fate, wordpress, edit: draft })
        expect(await calctl(`events update ${id} ${options}`)).toMatchObject({ status: 0 })
        expect(await json(`events get ${id} --json`)).toMatchObject({
          status: 'draft',
          excerpt: expect.stringContaining('Sold out'),
          cost: '$8',
          website: 'https://jazz.example',
          title: options.includes('Jazz night') ? 'Jazz night' : 'Jazz',
          featured: options.includes('featured'),
        })
      },
    )

test.each([true, false])(
  'an update is not sent again if somebody changed the same field meanwhile (wp/v2: %s)',
  async wordpress => {
    const edit = { values: { title: 'Cancelled', meta: { _EventCost: '5' } } }
    const { calctl, json, id } = await editedMeanwhile({ fate: 'lost', wordpress, edit })
    expect(await calctl(`events update ${id} --title "Jazz night"`)).toMatchObject({
      status: 7,
      err: expect.stringContaining(`event ${id} changed in the meantime: title`),
    })
    expect(await json(`events get ${id} --json`)).toMatchObject({ title: 'Cancelled' })
  },
)

test.each([true, false])(
  'an update that is sent again restores nothing from the trash (wp/v2: %s)',
  async wordpress => {
    const edit = { method: 'DELETE', path: (id: number) => `/tribe/events/v1/events/${id}` }
    const { calctl, json, id } = await editedMeanwhile({ fate: 'lost', wordpress, edit })
    expect(await calctl(`events update ${id} --title "Jazz night"`)).toMatchObject({
      status: 7,
      err: expect.stringContaining(`event ${id} was trashed, restored or deleted in the meantime`),
    })
    expect(await json('events list --all-dates --status trash --json')).toMatchObject([{ id, title: 'Jazz' }])
  },
)
