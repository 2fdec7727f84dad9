// Opens a calendar file as soon as it gets it, without sleeping while it waits, and writes to it one record after another until it
// is killed or refused; prints what is acknowledged.
import { writeSync } from 'node:fs'
import { Refusal } from '../../src/service/refusal.ts'
import { openStore } from '../../src/service/store/open-calendar-file.ts'
import { addTag } from '../support/temp-calendar-file.ts'

const [file = '', name = ''] = process.argv.slice(2)
const say = (line: string) => writeSync(1, `${line}\n`)
const store = await openStore({
  file,
  now: () => new Date(),
  site: { timezone: 'Europe/Madrid' },
  wait: 20_000,
  sleep: async () => {},
  longJournal: 20_000,
})
say('open')
for (let number = 0; ; number++) {
  try {
    await Promise.all([1, 2].map(n => store.write(addTag(`${name}-${number}-${n}`))))
    say(`acknowledged ${name}-${number}-1\nacknowledged ${name}-${number}-2`)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    say(`refused ${error.code}`)
    break
  }
}
await store.close()
say('closed')
