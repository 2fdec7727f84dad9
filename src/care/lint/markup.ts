import type { HtmlFaults } from '../../base/text/html-faults.ts'
import { phrase } from '../../base/words/phrase.ts'
import type { Answer, Resource } from '../../contract/resource.ts'
import { textAt } from './brief.ts'
import type { Rule } from './rule.ts'
import { htmlTexts, textRule, textsOf } from './texts.ts'

const unsafeHtml = textRule(textsOf, {
  id: 'unsafe-html',
  level: 'error',
  finds: () => phrase('a text has a script, or a link that runs one'),
  why: () => phrase('it can do anything in the browser of a reader, and no event needs it'),
  remedy: () => phrase('take it out'),
  faultIn(text, field) {
    const [found] = /<script\b|\b(?:href|src)\s*=\s*["']?\s*javascript:|<[a-z][^<>]*\son[a-z]+\s*=/i.exec(text) ?? []
    if (found === undefined) return undefined
    return {
      message: /^<script/i.test(found)
        ? phrase('has a script in {field}', { field })
        : phrase('has something that runs a script in {field}', { field }),
    }
  },
})

const emptyLinkForm = /<a\b[^<>]*\shref\s*=\s*(?:""|''|["']?#["']?)[\s>]|<a\b[^<>]*\shref[^<>]*>(?:\s|&nbsp;)*<\/a>/i

const emptyLink = textRule(textsOf, {
  id: 'empty-link',
  level: 'warning',
  finds: () => phrase('a link in a text leads nowhere, or has no words: <a href="">'),
  why: () => phrase('clicking it does nothing, and screen readers cannot announce it'),
  remedy: () => phrase('give it an address and words, or take it out'),
  faultIn: (text, field) =>
    emptyLinkForm.test(text) ? { message: phrase('has an empty link in {field}', { field }) } : undefined,
})

const openHtml = textRule(htmlTexts, {
  id: 'html-open',
  level: 'warning',
  finds: () => phrase('the HTML of a text leaves elements open, or closes some that were never opened'),
  why: () => phrase('the rest of the page turns bold or small, or its layout breaks'),
  remedy: () => phrase('close them; --fix does that where it can read the stored text, unless elements overlap'),
  fixes: true,
  faultIn(faults, field) {
    const { open, stray, overlapping, closed } = faults
    if (open.length === 0 && stray.length === 0) return undefined
    return { message: openSentence(faults, field), fixed: overlapping === undefined ? closed() : undefined }
  },
})

function openSentence({ open, stray, overlapping }: HtmlFaults, field: string): string {
  if (overlapping !== undefined)
    return phrase('has {tag} overlapping another element in {field}', { tag: `<${overlapping}>`, field })
  const places = { open: tags(open, ''), stray: tags(stray, '/'), field }
  if (stray.length === 0) return phrase('leaves {open} open in {field}', places)
  if (open.length === 0) return phrase('has {stray} without a beginning in {field}', places)
  return phrase('leaves {open} open and has {stray} without a beginning in {field}', places)
}

function tags(names: readonly string[], slash: string): string {
  const distinct = [...new Set(names)]
  const named = distinct.slice(0, 3).map(name => `<${slash}${name}>`)
  return distinct.length > 3 ? phrase('{tags} and others', { tags: named.join(', ') }) : named.join(', ')
}

const wordMarkup = textRule(htmlTexts, {
  id: 'word-markup',
  level: 'warning',
  finds: () => phrase('a text has markup that was pasted from a word processor: class="MsoNormal", <o:p>'),
  why: () => phrase('it looks unlike the other texts of the site, and is slow to load'),
  remedy: () =>
    phrase('strip it; --fix does that where it can read the stored text, and leaves the text and all other markup'),
  fixes: true,
  faultIn: ({ isPasted, cleaned }, field) =>
    isPasted
      ? { message: phrase('has the markup of a word processor in {field}', { field }), fixed: cleaned() }
      : undefined,
})

/** `[gallery ids="1,2"]`, `[/caption]`; a remark such as `[sic]` has neither a value nor an end. */
const shortcodeSign = /\[(\/?)([a-z][a-z\d_-]{1,40})((?:\s[^[\]]{0,300})?)\]/gi
const knownShortcodes = new Set(['gallery', 'caption', 'embed', 'audio', 'video', 'playlist'])

const shortcode = textRule(shownTexts, {
  id: 'shortcode',
  level: 'warning',
  finds: () => phrase('readers see the shortcode of a plugin in a text: [gallery ids="1,2"]'),
  why: () =>
    phrase('the plugin that renders it is missing, or the text passed through a program that does not know it'),
  remedy: () => phrase('remove it, or activate the plugin'),
  faultIn(shown, field) {
    const text = shown.includes('[') ? shortcodeIn(shown) : undefined
    return text === undefined ? undefined : { message: phrase('shows {text} in {field}', { text, field }) }
  },
})

/** The texts that readers see; the stored ones may have shortcodes. */
function* shownTexts(record: Answer, resource: Resource): Generator<[name: string, text: string]> {
  for (const [name] of textsOf(record, resource)) yield [name, textAt(record, name)]
}

function shortcodeIn(text: string): string | undefined {
  for (const [sign, slash = '', name = '', rest = ''] of text.matchAll(shortcodeSign))
    if (knownShortcodes.has(name.toLowerCase()) || slash !== '' || /^\s[^=]{0,60}=/.test(rest))
      return sign.length > 60 ? `${sign.slice(0, 59)}…` : sign
  return undefined
}

export const markup: readonly Rule[] = [unsafeHtml, emptyLink, openHtml, wordMarkup, shortcode]
