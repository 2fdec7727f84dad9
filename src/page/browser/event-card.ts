import { type DayWords, saidStatus } from '../../files/print/day-events.ts'
import { type LookOf, legendItems } from '../../files/print/sheet-page.ts'
import { dialog, element, fillStyled } from './elements.ts'
import { type ApiReader, type PageEvent, textOfHtml, translationOf } from './read-view.ts'
import { detailsIn, type ShownEvent } from './shown-event.ts'
import { type PageLanguage, type PageWords, pageLanguages } from './words.ts'

/** The words of the page, and those of days, in the chosen language. */
export interface Speech {
  readonly language: PageLanguage
  readonly words: PageWords
  readonly days: DayWords
}

/** The look of categories, and whether those read who need the translations of an event. */
type Reading = () => { readonly lookOf: LookOf; readonly readsAll: boolean }

/** Everything about an event, for editors with its translations below: beside the event, or on a narrow screen as a sheet from below. */
export function eventCard(api: ApiReader, onClose: () => void, reading: Reading) {
  const { part: card, head } = dialog('card')
  card.addEventListener('close', onClose)
  return {
    card,
    show(shown: ShownEvent, { language, words, days }: Speech, place: Element | null): void {
      const { event, day } = shown
      const { lookOf, readsAll } = reading()
      const translations = element('div', { class: 'translations' })
      // No line ends within the hours.
      const [, on = '', at = ''] = /^(.*, )(.*)$/.exec(days.when(day)) ?? []
      const kinds = element('ul', { class: 'legend' })
      fillStyled(kinds, day.categories.flatMap(one => legendItems([{ ...day, categories: [one] }], lookOf)).join(''))
      card.replaceChildren(
        head(day.title, words.close),
        ...marksOf(shown, language, words),
        ...(shown.planned ? [element('p', { class: 'difference' }, shown.planned.change.sentence)] : []),
        element('p', { class: 'when' }, on, element('span', { class: 'hours' }, at)),
        ...factsOf(shown, words).map(text => element('p', {}, text)),
        kinds,
        ...(event.image ? [picture(event.image, words)] : []),
        element('div', { class: 'text' }, textOfHtml(event.description)),
        linksOf(event, words),
        translations,
      )
      place?.classList.add('opened')
      card.addEventListener('close', () => place?.classList.remove('opened'), { once: true })
      if (!card.open) card.showModal()
      card.scrollTop = 0
      putBeside(card, place)
      // After the frame in which the card is there.
      if (readsAll && !shown.planned) setTimeout(() => void addTranslations(api, event, language, translations))
    },
  }
}

/** The style sheet takes the place from these properties, where there is room for it. */
function putBeside(card: HTMLElement, place: Element | null): void {
  card.classList.remove('beside')
  if (!place) return
  const { left, right, top, bottom } = place.getBoundingClientRect()
  const { width, height } = card.getBoundingClientRect()
  const gap = 8
  const x = right + gap + width < innerWidth ? right + gap : left - gap - width
  // An event over the whole width has no room at its sides: the card is at its end, below it or above it, where there is more.
  const isOver = x < 0
  const isAbove = isOver && top > innerHeight - bottom
  const end = isAbove ? top - gap : innerHeight - gap
  const y = isOver && !isAbove ? bottom + gap : Math.max(gap, Math.min(isAbove ? end : top, end - height))
  const places = { left: isOver ? Math.max(gap, right - width) : x, top: y, room: end - y }
  for (const [name, value] of Object.entries(places)) card.style.setProperty(`--${name}`, `${value}px`)
  card.classList.add('beside')
}

function marksOf({ event, day }: ShownEvent, language: PageLanguage, words: PageWords): HTMLElement[] {
  const marks = [
    saidStatus(day, language),
    event.all_day === null && words.protected,
    event.hide_from_listings && words.hidden,
    event.status !== 'publish' && words.hiddenFromPublic,
  ].filter(mark => !!mark)
  return marks.length > 0 ? [element('p', { class: 'marks' }, marks.join(' · '))] : []
}

function factsOf({ event, day }: ShownEvent, words: PageWords): string[] {
  const organizers = [event.organizer ?? []].flat().map(one => textOfHtml(one.organizer))
  return [detailsIn(day), organizers.length > 0 ? `${words.organizer}: ${organizers.join(', ')}` : ''].filter(Boolean)
}

function linksOf({ url, website = '' }: PageEvent, words: PageWords): HTMLElement {
  const links = [
    ...(isWeb(url) ? [element('a', { href: url }, words.page)] : []),
    ...(isWeb(website) ? [element('a', { href: website, rel: 'noreferrer' }, words.website)] : []),
  ]
  return element('p', { class: 'links' }, ...links)
}

/** The texts of an event in the other languages that it has. */
async function addTranslations(api: ApiReader, event: PageEvent, language: PageLanguage, place: HTMLElement) {
  const others = pageLanguages.filter(one => one !== language)
  const found = await Promise.all(others.map(one => translationOf(api, event, one).catch(() => undefined)))
  found.forEach((translation, index) => {
    if (!translation) return
    const lang = others[index] ?? ''
    const title = element('h3', { lang }, `${lang}: ${textOfHtml(translation.title)}`)
    place.append(
      element('section', { lang }, title, element('div', { class: 'text' }, textOfHtml(translation.description))),
    )
  })
}

/** An image that does not load is replaced by its text; an image of another site is a link. */
function picture({ url, alt = '' }: { readonly url: string; readonly alt?: string }, words: PageWords): HTMLElement {
  const isOwn = URL.canParse(url, location.href) && new URL(url, location.href).origin === location.origin
  if (!isOwn) return isWeb(url) ? element('a', { href: url, rel: 'noreferrer' }, words.image) : element('span')
  const image = element('img', { src: url, alt, loading: 'lazy' })
  image.addEventListener('error', () => image.replaceWith(alt))
  return image
}

/** Only web addresses become links: `javascript:` is shown as text. */
const isWeb = (address: string): boolean => /^https?:/i.test(address) && URL.canParse(address)
