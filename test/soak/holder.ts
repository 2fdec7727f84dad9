// Opens a calendar file, prints so on stdout, and keeps it open until stdin ends; or prints why it cannot.
import { openStore } from '../../src/service/store/open-calendar-file.ts'

const [file = '', wait = '0', url] = process.argv.slice(2)
try {
  const store = await openStore({ file, now: () => new Date(), site: { timezone: 'UTC' }, wait: Number(wait) })
  if (url) store.announce(url)
  console.log('has it')
  process.stdin.resume().once('end', async () => {
    await store.close()
    console.log('gave it back')
  })
} catch (error) {
  console.log(error instanceof Error ? error.message : error)
}
