import { expect, test } from 'vitest'
import { calendarWithFiles } from '../support/calendar-with-files.ts'
import { archive } from '../support/workbooks.ts'

/** The longest time in which nothing else got its turn, such as a signal, as a share of all the time that the work took. */
async function longestShare(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  let [last, longest] = [began, 0]
  const note = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(note, 1)
  await work()
  note()
  clearInterval(timer)
  return longest / (performance.now() - began)
}

test('a workbook that says that a row is there many times can be interrupted while it is read', async () => {
  const { calctl, file } = calendarWithFiles()
  const row = (cells: readonly string[], attributes = '') =>
    `<table:table-row ${attributes}>${cells.map(text => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`).join('')}</table:table-row>`
  const rows = `${row(['title', 'start_date'])}${row(['Fira', '2027-05-01 19:00'], 'table:number-rows-repeated="60000"')}`
  const content = `<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x"><table:table table:name="A">${rows}</table:table></office:document-content>`
  const path = file('season.ods', await archive({ 'content.xml': content }))
  expect(await longestShare(() => calctl(`diff ${path}`))).toBeLessThan(0.3)
})
