import type { Command } from 'commander'
import { excluding, refused, usage } from '../../base/failure.ts'
import { isLocked, lockHolder } from '../../base/lock/lock.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Ref } from '../../client/client.ts'
import { pageAddress } from '../../client/http/request.ts'
import { resourceNamed } from '../../contract/contract.ts'
import type { Answer } from '../../contract/resource.ts'
import { namedRecord } from '../../contract/resource-words.ts'
import type { App } from '../app.ts'
import { dayOfMonth } from './agenda-and-month.ts'
import type { VerbContext } from './shared/options.ts'
import { declareOutput, textOutput } from './shared/output-forms.ts'
import { namedRefs } from './shared/refs.ts'

/** calctl open: shows the current calendar in a browser; a calendar file is served until the command is stopped. */
export function open(command: Command, app: App): void {
  declareOutput(command, textOutput)
    .option('--month <month>', phrase('Month to show first: 2026-12, december, next'))
    .argument('[ref...]', phrase('IDs, slugs or exact titles of events, to open their pages'))
    .addHelpText('after', notes())
    .action(async (texts: string[], { month }: { month?: string }) => {
      if (texts.length > 0) return openEvents(app, texts, month)
      const path = month === undefined ? '/' : `/?month=${await monthNamed(app, month)}`
      const { resolveTarget } = await import('../profiles/resolve.ts')
      const { place } = await resolveTarget(app.world, app.globals)
      if (place.kind === 'http') await requireAnswer(app)
      const server = place.kind === 'http' ? place.baseUrl : place.kind === 'file' && serverOf(place.file)
      if (server) return openPage(app, new URL(path, server).href)
      const { serveCalendar } = await import('./serve/serve-calendar.ts')
      const file = place.kind === 'file' ? { file: place.file } : {}
      await serveCalendar(app, { ...file, port: '0' }, url => openPage(app, new URL(path, url).href))
    })
}

async function openEvents(app: App, texts: readonly string[], month: string | undefined): Promise<void> {
  if (month !== undefined) throw excluding('--month', phrase('IDs or slugs'))
  const client = await app.client()
  const context = { app, client, resource: resourceNamed('events') }
  await openPages(context, await namedRefs(context, texts), ref => client.get(context.resource, ref))
}

/** Throws if nothing answers at the address. Any answer will do: a page may ask for a password that the API does not know. */
async function requireAnswer(app: App): Promise<void> {
  const client = await app.client()
  await client.send({ method: 'GET', path: `/${client.namespace}` })
}

/** The address at which another process on this machine serves a calendar file. */
function serverOf(file: string): string | undefined {
  const { note, isElsewhere } = isLocked(file) ? lockHolder(file) : {}
  return isElsewhere || note === '' ? undefined : note
}

const notes = () => `
${phrase('A calendar file and the demo are served on a free port of this machine until you press Ctrl-C.')}`

/** Opens the pages of records on their site. */
export async function openPages(context: VerbContext, refs: readonly Ref[], read: (ref: Ref) => Promise<Answer>) {
  const { app, client, resource } = context
  for (const ref of refs) {
    const hint = phrase('show it here: {command}', {
      command: `calctl ${resource.name} get ${'id' in ref ? ref.id : ref.slug}`,
    })
    if (!client.capabilities.hasPages)
      throw usage(phrase('{label} has no pages', { label: client.calendar.label }), hint)
    const { id, url } = await read(ref)
    if (typeof url !== 'string' || pageAddress(url) === undefined)
      throw refused(phrase('{record} has no page', { record: namedRecord(resource.name, id) }), hint)
    await openPage(app, url)
  }
}

/**
 * Opens a page, or a file that leads there; without a browser, prints its address. Sites and other processes give addresses, so any but that
 * of a page is refused.
 */
export async function openPage({ world, notice }: App, address: string, file?: string): Promise<void> {
  const url = pageAddress(address)
  if (url === undefined)
    throw refused(
      phrase('not the address of a page: {address}', { address: JSON.stringify(address) }),
      phrase('expected https://… or http://…, without control characters'),
    )
  const opened = () =>
    file === undefined
      ? phrase('opened {url}', { url })
      : phrase('opened a browser; if it does not show the page, go to {url}', { url })
  await world.openPage(file ?? url).then(
    () => notice(opened()),
    () => notice(phrase('no browser could be opened; the page is {url}', { url })),
  )
}

/** The month that was typed: `2026-12`. */
async function monthNamed({ world }: App, text: string): Promise<string> {
  const { wallAt } = await import('../../base/time/zone.ts')
  return (await dayOfMonth(text, wallAt(world.now().getTime(), world.timeZone()))).slice(0, 7)
}
