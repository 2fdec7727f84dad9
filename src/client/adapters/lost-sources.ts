import type { Answer, Resource } from '../../contract/resource.ts'
import type { Reads, Values } from '../client.ts'
import { isRenderedText } from './wp-record.ts'

const block = /<!--\s*\/?wp:/

const shortcode = /\[[a-z][\w-]*(?:[\s=][^\]]*)?\/?\]/i

const either = new RegExp(`${block.source}|${shortcode.source}`, 'i')

/** `shownAs` matches a rendered text whose source the site does not show, `writtenAs` a new text that is a source of the same kind. */
const signs = [
  { shownAs: /\b(?:wp-block-|wp-container-|wp-elements-|is-layout-)/, writtenAs: block },
  {
    shownAs:
      /\b(?:galleryid-|gallery-columns-|wp-caption\b|wp-playlist|wp-(?:audio|video)-shortcode|wpcf7|tribe-|tec-)/,
    writtenAs: shortcode,
  },
  { shownAs: /<(?:form|input|select|textarea|audio|video|style|svg|canvas|noscript)\b/i, writtenAs: either },
  // The comments of blocks, and shortcodes that show nothing, leave blank lines; in other texts a blank line ends a paragraph.
  { shownAs: /\n[^\S\n]*\n|<p>\s*(?:<br \/>|<\/p>)|<br \/>\s*(?:<br \/>|<\/p>)/, writtenAs: either },
  {
    shownAs: /\bwp-embed|[?&;]feature=oembed|<iframe\b/i,
    writtenAs: new RegExp(`${block.source}|<iframe\\b|\\[embed\\b|^\\s*https?://\\S+\\s*$`, 'im'),
  },
]

/** In these elements blank lines are shown as they are in the source. */
const verbatim = /<(pre|textarea|script|style)\b[^>]*>[\s\S]*?<\/\1>/gi

/**
 * The texts for which an update would replace blocks or shortcodes for good: the events API shows only what they render, so that an undo
 * could only write that. None where the stored text could be read.
 */
export function lostSources(client: Reads, resource: Resource, before: Answer, values: Values): string[] {
  if (client.capabilities.showsStoredTexts) return []
  return Object.keys(values).filter(name => {
    const shown = before[name]
    if (!isRenderedText(resource.fields[name]) || typeof shown !== 'string') return false
    if (before.raw?.[name] !== undefined) return false
    const text = shown.replace(verbatim, element => element.replace(/\n\s*/g, ' '))
    return signs.some(({ shownAs, writtenAs }) => shownAs.test(text) && !writtenAs.test(String(values[name] ?? '')))
  })
}
