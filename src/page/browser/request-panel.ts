import { shellWord } from '../../base/text/escaping.ts'
import { element, foldedPart } from './elements.ts'
import { type CalendarView, type ListAnswer, queryOf } from './read-view.ts'
import type { PageWords } from './words.ts'

/** The request of a view, and its answer. */
export interface Asked {
  readonly view: CalendarView
  /** The path of the API. */
  readonly root: string
  readonly baseUrl: string
  readonly namespace: string
  /** Who signed in. */
  readonly user: string | undefined
  /** The first page of the answer. */
  readonly answer: ListAnswer
}

/** The request of a view as a URL, for curl, for calctl and for `calctl/client`: each gives the events that the view shows. */
function requestForms({ view, root, baseUrl, namespace, user }: Omit<Asked, 'answer'>) {
  const query = queryOf(view)
  const url = new URL(`${root}/events?${query}`, location.href).href
  const filters = [...query].filter(([name]) => !['per_page', 'lang_code', 'context'].includes(name))
  const flags = filters.map(([name, value]) => ` --${name.replaceAll('_', '-')} ${shellWord(value)}`)
  const userBefore = user === undefined ? '' : `CALCTL_USER=${shellWord(user)} `
  const site = `--base-url ${shellWord(baseUrl)} --namespace ${namespace} --lang ${view.language}`
  const values = filters.map(([name, value]) => `  ${camelCase(name)}: ${JSON.stringify(value)},\n`)
  const signIn =
    user === undefined ? '' : `  user: ${JSON.stringify(user)},\n  password: process.env.CALCTL_PASSWORD,\n`
  return {
    URL: url,
    curl: `curl${user === undefined ? '' : ` -u ${shellWord(user)}`} ${shellWord(url)}`,
    calctl: `${userBefore}calctl events list ${site}${flags.join('')} --all`,
    'calctl/client': `import { createCalendarClient } from 'calctl/client'

const client = createCalendarClient({
  url: ${JSON.stringify(baseUrl)},
  namespace: ${JSON.stringify(namespace)},
  language: ${JSON.stringify(view.language)},
${signIn}})
const events = client.events.list({
${values.join('')}})
for await (const event of events) console.log(event.title)`,
  }
}

const camelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The part of the page that shows both; it is drawn while it is open. */
export function requestPanel() {
  let latest: { asked: Asked; words: PageWords } | undefined
  const part = foldedPart({ class: 'panel asked' }, draw)
  const title = element('summary')
  part.append(title)

  function draw(): void {
    if (!latest) return
    const { asked, words } = latest
    const forms = Object.entries(requestForms(asked)).flatMap(([name, text]) => [
      element('h3', {}, name),
      element('pre', { tabindex: '0', 'aria-label': name }, text),
    ])
    const count = words.answerPage.replace('{pages}', String(Math.max(1, asked.answer.total_pages)))
    const answer = JSON.stringify(asked.answer, null, 2)
    part.replaceChildren(
      title,
      ...forms,
      element('h3', {}, `${words.answer} (${count})`),
      element('pre', { tabindex: '0', class: 'json', 'aria-label': words.answer }, answer),
    )
  }

  return {
    part,
    draw(words: PageWords): void {
      title.textContent = words.request
    },
    show(asked: Asked, words: PageWords): void {
      latest = { asked, words }
      if (part.open) draw()
    },
  }
}
