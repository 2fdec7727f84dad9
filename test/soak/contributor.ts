import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Stage } from './attack-stage.ts'
import type { Post } from './attacked-site.ts'
import { finishRun } from './attacking-shells.ts'

/** An event of a contributor: whether calctl said that it was created, and the websites that it may have. */
interface OwnEvent {
  isDone: boolean
  websites: Set<string>
}

/**
 * Somebody whose events the site publishes only after a review: creates events, alone and in sheets, which become pending though
 * they are to be published, and changes their websites. Returns a function that compares all with what the site has in the end.
 */
export async function attackAsContributor(
  stage: Stage,
  shell: string,
  rounds: number,
): Promise<(posts: readonly Post[]) => string[]> {
  const { random, folder, shells } = stage
  const user = 'writer'
  const own = new Map<string, OwnEvent>()
  // An event that is pending instead of published is reported as a conflict, by those who sent it.
  const isDone = ({ status, err }: { status: number; err: string }) =>
    status === 0 || (status === 7 && /but is "pending"/.test(err) && !/outcome unknown/.test(err))
  const apply = (name: string, lines: readonly string[]) => {
    const file = join(folder, `${name}.csv`)
    writeFileSync(file, `${lines.join('\n')}\n`)
    return finishRun(stage, shell, ['apply', file], { user, isDone })
  }
  for (let round = 1; round <= rounds; round++) {
    const name = `own-${round}`
    const website = `https://example.org/${name}`
    if (own.size === 0 || random() < 0.5) {
      const titles = Array.from({ length: random() < 0.5 ? 1 : 6 }, (_, row) => `Own ${row} ${name}`)
      for (const title of titles) own.set(title, { isDone: false, websites: new Set([website]) })
      const when = ['2027-07-07 10:00', '2027-07-07 11:00']
      const rows = titles.map(title => [title, ...when, website, random() < 0.5 ? 'publish' : 'pending'].join(','))
      const isCreated = await apply(name, ['title,start_date,end_date,website,status', ...rows])
      for (const title of titles) own.set(title, { isDone: isCreated, websites: new Set([website]) })
      continue
    }
    const { status, out } = await shells.calctl(shell, ownEvents, undefined, { user })
    if (status !== 0) continue
    const events = (JSON.parse(out) as { id: number; title: string }[]).filter(({ title }) => own.has(title))
    const chosen = events.filter(() => random() < 0.5)
    if (chosen.length === 0) continue
    for (const { title } of chosen) own.get(title)?.websites.add(website)
    if (await apply(name, ['id,website', ...chosen.map(({ id }) => `${id},${website}`)]))
      for (const { title } of chosen) Object.assign(own.get(title) ?? {}, { websites: new Set([website]) })
  }
  return posts => [...own].flatMap(([title, event]) => problemsOf(title, event, posts))
}

const ownEvents = ['events', 'list', '--all-dates', '--all', '--status', 'pending', '--json', '--fields', 'id,title']

function problemsOf(title: string, { isDone, websites }: OwnEvent, posts: readonly Post[]): string[] {
  const found = posts.filter(post => post.title.raw === title && post.status !== 'trash')
  if (found.length > 1) return [`${found.length} events have the title ${title}`]
  const [post] = found
  if (!post) return isDone ? [`the event ${title} is missing`] : []
  const website = String(post.meta._EventURL)
  return [
    ...(post.status === 'pending' ? [] : [`${title} is ${post.status}`]),
    ...(websites.has(website) ? [] : [`website of ${title} is ${website}, not ${[...websites]}`]),
  ]
}
