import { Failure, someFailed } from '../../../base/failure.ts'
import { planFromRecords } from '../../../changes/plan/build/from-files.ts'
import { invalidLines, summaryLines } from '../../../changes/plan/describe.ts'
import { executePlan } from '../../../changes/run/execute.ts'
import type { Client } from '../../../client/client.ts'
import { calendarApi, createClient } from '../../../client/create-client.ts'
import { isImageUrl } from '../../../client/images/sources.ts'
import { documentedNamespace, resources } from '../../../contract/contract.ts'
import { languages } from '../../../contract/languages.ts'
import { exportRecords } from '../../../files/export/export-records.ts'
import type { FileRecord, WritableRecord } from '../../../files/records/file-record.ts'
import { createService } from '../../../service/service.ts'
import type { Store } from '../../../service/store/store.ts'
import type { App } from '../../app.ts'
import { connect } from '../../connect/connect.ts'

/** Fills an empty calendar with all records of a profile's calendar, in every language. */
export async function copyCalendar(app: App, store: Store, profile: string, copiesImages: boolean): Promise<void> {
  const { world, globals, notice } = app
  // These options are about the server, not about the calendar that is copied.
  const { lang: _lang, namespace: _namespace, baseUrl: _baseUrl, ...others } = globals
  const source = await connect({ world, globals: { ...others, profile }, notice, traffic: await app.traffic() })
  const stopping = world.stopping()
  const stop = () => void source.close()
  if (stopping.aborted) stop()
  stopping.addEventListener('abort', stop)
  try {
    const { client } = source
    const criteria = { filters: {} }
    const records = exportRecords({ client, resources: resources.toReversed(), languages, criteria, notice })
    const download = async (url: string) =>
      (await import('../../connect/connection.ts')).downloadImage(
        { ...app, globals, traffic: await app.traffic() },
        url,
      )
    const copy = clientFor(store, world.now, download)
    const context = { client: copy, now: world.now(), zone: store.site.timezone, notice }
    const found = copiesImages ? withCopiedImages(records, copy, notice) : records
    const plan = await planFromRecords(fileRecords(found), context, { createMissing: true })
    const { results } = await executePlan(plan, { client: copy, now: () => world.now().getTime() })
    const failures = [...results.values()].flatMap(({ failure }) => failure ?? [])
    if (failures.length > 0) throw someFailed(failures, plan.steps.length)
    for (const line of [...invalidLines(plan.invalid), ...summaryLines(plan)]) await notice(line)
    await notice(`serving a copy of ${client.calendar.label}`)
  } finally {
    stopping.removeEventListener('abort', stop)
    await source.close()
  }
}

const clientFor = (store: Store, now: () => Date, download: (url: string) => Promise<Uint8Array>) =>
  createClient(
    calendarApi({
      download,
      transport: createService({ store, now, baseUrl: 'http://copy.test', namespace: documentedNamespace }),
      calendar: { id: 'copy:', label: 'the copy' },
      namespace: documentedNamespace,
    }),
  )

/** Records whose images are those of the copy, by their addresses: IDs in them would be those of the other site. An image that cannot be read stays where it is. */
async function* withCopiedImages(
  records: AsyncIterable<WritableRecord>,
  copy: Client,
  notice: App['notice'],
): AsyncGenerator<WritableRecord> {
  for await (const record of records) {
    const { image: url } = record.values
    try {
      const item = isImageUrl(url) ? await copy.uploadedImage({ url }) : undefined
      yield item ? { ...record, values: { ...record.values, image: item.url } } : record
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      await notice(`not copied: ${error.message}`)
      yield record
    }
  }
}

/** Exported records in the form of records that were read from a file. */
async function* fileRecords(records: AsyncIterable<WritableRecord>): AsyncGenerator<FileRecord> {
  for await (const record of records)
    yield { ...record, cleared: [], mistakes: [], place: `${record.resource} ${record.id}` }
}
