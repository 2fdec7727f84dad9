/** A price that a sheet leaves open is refused with its meanings, whichever languages its headings and the interface have. */
import { expect, test } from 'vitest'
import { calendarWithFiles } from '../support/calendar-with-files.ts'

const headings = { ca: 'Títol,Data,Hora,Preu', en: 'Title,Date,Time,Price', es: 'Título,Fecha,Hora,Precio' }
const prices = ['1,200', '1.200', '1,250', '100.500', '-', '50%', '-5', 'dotze euros', '12/8 €', '10 + 2', '1/2 €']

const languages = ['ca', 'en', 'es'] as const

test.each(languages.flatMap(ui => languages.map(heading => [ui, heading] as const)))(
  'in %s with headings in %s no refusal of a price lacks a sentence and a next step',
  async (ui, heading) => {
    const { calctl, file } = calendarWithFiles()
    for (const price of prices) {
      const sheet = file('m.csv', `${headings[heading]}\nBall,2027-01-09,22:00,"${price}"\n`)
      const { status, err } = await calctl(`apply ${sheet} --dry-run --ui ${ui}`)
      if (status === 0) continue
      // A sentence after the place, and a next step: below it, or in parentheses.
      expect(err, `${price} in ${ui}, headings in ${heading}`).toMatch(/fil[ae] 2|row 2/)
      expect(err).toMatch(/(?:fila|row) 2[,:] (?:Preu|Price|Precio): (?:\S+ ){3,}/)
      expect(err).toMatch(/\n(?:hint|pista|sugerencia): |\(.+\)\n/)
    }
  },
)
