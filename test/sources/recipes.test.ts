import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { event, feed } from './feed-server.ts'
import { folder } from './folder.ts'

const fences = (text: string, language: string): string[] =>
  Array.from(text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms')), ([, body = '']) => body)

interface Workflow {
  readonly on: { readonly schedule: readonly { readonly cron: string }[] }
  readonly jobs: Record<string, { readonly steps: readonly { readonly run?: string }[] }>
}

/** The commands of the recipes that keep a calendar up to date from sources, by the shell line in which they are. */
function recipesOf(text: string): string[] {
  const cron = fences(text, 'sh').flatMap(block => block.split('\n').filter(line => /^17 \* \* \* \* cd /.test(line)))
  const units = fences(text, 'ini').flatMap(block => block.match(/^ExecStart=.*$/gm) ?? [])
  const workflows = fences(text, 'yaml')
    .filter(block => block.startsWith('on:'))
    .map(block => parse(block) as Workflow)
  const steps = workflows.flatMap(({ jobs }) => Object.values(jobs).flatMap(job => job.steps))
  return [...cron, ...units, ...steps.flatMap(({ run = '' }) => (run.includes('calctl') ? [run] : []))]
}

test.each(['docs/feeds.md', 'docs/ca/feeds.md', 'docs/es/feeds.md'])(
  'the recipes of %s run as they are written',
  async page => {
    const recipes = recipesOf(readFileSync(page, 'utf8'))
    expect(recipes).toHaveLength(3)
    for (const recipe of recipes) {
      const { calctl, write } = folder({ 'sources.yaml': 'sources:\n  - name: theatre\n    place: theatre.ics\n' })
      write('theatre.ics', feed(event({ uid: 'a', title: 'Concert', place: 'Teatre' })))
      await calctl('trust')
      const [, profile] = /--confirm (\S+)/.exec(recipe) ?? []
      if (profile !== undefined) await calctl(`profiles add ${profile} --base-url file:calendar.json --protected`)
      for (const [line] of recipe.matchAll(/(?<=calctl )[^&\n]+/g)) {
        const { status, err } = await calctl(line.trim())
        expect({ line, status, err }).toMatchObject({ status: 0 })
      }
      const { out } = await calctl('events list --all-dates --fields title,venue -o csv')
      expect(out).toContain('Concert,Teatre')
    }
  },
)
