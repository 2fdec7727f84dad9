/**
 * Days with their events as a text for newsletters, in Markdown or as HTML with the few tags that survive being pasted into a word
 * processor, a mailing tool or a site. Each event appears once, on its first day, without what only editors need, such as IDs.
 */

import { type DayEvent, type DayWords, detailsOf, hoursOn, titleWithStatus } from './day-events.ts'
import { escaped } from './sheet-page.ts'

/** How the parts of a newsletter are marked up; texts are escaped here. */
interface Markup {
  readonly start: string
  text(text: string): string
  title(text: string): string
  day(text: string): string
  strong(markedText: string): string
  link(markedText: string, url: string): string
  list(items: readonly string[]): string
}

/** Characters with a meaning in Markdown. An ampersand has one only where it begins an entity. */
const signs = /[\\`*_[\]<>#|~]|&(?=#?\w+;)/g

const inMarkdown = (text: string): string => text.replace(signs, '\\$&')

const forms = {
  markdown: {
    start: '',
    text: inMarkdown,
    title: text => `## ${inMarkdown(text)}\n`,
    day: text => `\n### ${inMarkdown(text)}\n\n`,
    strong: text => `**${text}**`,
    link: (text, url) => `[${text}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`,
    list: items => items.map(item => `- ${item}\n`).join(''),
  },
  html: {
    // Without it, a browser that opens the text as a file may read its letters in another encoding.
    start: '<meta charset="utf-8">\n',
    text: escaped,
    title: text => `<h2>${escaped(text)}</h2>\n`,
    day: text => `<h3>${escaped(text)}</h3>\n`,
    strong: text => `<strong>${text}</strong>`,
    link: (text, url) => `<a href="${escaped(url)}">${text}</a>`,
    list: items => `<ul>\n${items.map(item => `<li>${item}</li>\n`).join('')}</ul>\n`,
  },
} satisfies Record<string, Markup>

export interface Newsletter {
  readonly title: string
  readonly days: ReadonlyMap<string, readonly DayEvent[]>
  /** `YYYY-MM-DD` */
  readonly today: string
  readonly words: DayWords
}

export function newsletter({ title, days, today, words }: Newsletter, form: keyof typeof forms): string {
  const markup: Markup = forms[form]
  const sections = [...days].map(([day, events]) => {
    const items = events.map(event => itemOf(event, day, words, markup))
    return markup.day(words.heading(day, today)) + markup.list(items)
  })
  return `${markup.start}${markup.title(title)}${sections.join('')}`
}

function itemOf(event: DayEvent, day: string, words: DayWords, markup: Markup): string {
  const isOfDay = event.firstDay === day && event.lastDay === day
  const when = markup.text(isOfDay ? hoursOn(event, day, words) : words.when(event))
  const title = markup.strong(markup.text(titleWithStatus(event, words)))
  const details = markup.text(detailsOf(event))
  const linked = event.url === '' ? title : markup.link(title, event.url)
  return [when, linked, details].filter(Boolean).join(' · ')
}
