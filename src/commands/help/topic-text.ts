import type { Command } from 'commander'
import { markdownText } from '../../terminal/markdown-text.ts'
import { optionGroups, optionRows } from './command-facts.ts'
import { definitions, type Page, widthOfPage } from './definitions.ts'
import { markdownOf, nameOf } from './topics.ts'

/** A topic as text: the global options of that name, and the page or section. */
export function topicText(name: string, root: Command, page: Page): string {
  const group = optionGroups(root).find(({ heading }) => nameOf(heading) === name)
  const markdown = markdownOf(name)
  const { heading } = page
  const width = widthOfPage(page)
  return [
    ...(group ? [`${heading(group.heading)}\n${definitions(optionRows(group.items), width).join('\n')}\n`] : []),
    ...(markdown === undefined ? [] : [markdownText(markdown, { columns: width, heading })]),
  ].join('\n')
}
