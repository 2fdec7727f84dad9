import { Failure } from '../failure.ts'
import type { Sink } from '../world.ts'
import type { Print } from './json-filter.ts'

/** Liquid without files: nothing is included, so a template reads nothing but the record. */
async function engineAndTemplate(text: string) {
  const { Liquid } = await import('liquidjs')
  const engine = new Liquid({ strictFilters: true, templates: {} })
  try {
    return { engine, template: engine.parse(withBreaks(text)) }
  } catch (error) {
    throw invalid(error)
  }
}

/** Shells give `\\t` and `\\n` as they are typed; within `{{ }}` and `{% %}` they are Liquid's own. */
const withBreaks = (text: string): string =>
  text.replace(/\{\{.*?\}\}|\{%.*?%\}|\\[tn]/gs, part => (part.startsWith('{') ? part : (breaks[part] ?? part)))

const breaks: Readonly<Record<string, string>> = { '\\t': '\t', '\\n': '\n' }

/** The fields that a template prints, as paths: `venue.city`. */
export async function templateFields(text: string): Promise<string[]> {
  const { engine, template } = await engineAndTemplate(text)
  try {
    const paths = engine.globalVariableSegmentsSync(template).map(segments => {
      const end = segments.findIndex(name => typeof name !== 'string' || ofLists.has(name))
      return segments.slice(0, end < 0 ? undefined : end).join('.')
    })
    return [...new Set(paths)].filter(path => path !== '')
  } catch (error) {
    throw invalid(error)
  }
}

/** What Liquid itself knows of a list. */
const ofLists: ReadonlySet<string> = new Set(['first', 'last', 'size'])

/** Throws `usage` for a template that is none, before anything is sent. */
export async function checkTemplate(text: string): Promise<void> {
  await engineAndTemplate(text)
}

/**
 * Prints each record as the template makes it, on a line of its own. What `print` writes are records as NDJSON, which are printed as
 * they come, or one value as JSON.
 */
export async function throughTemplate(text: string, print: Print, stdout: Sink, isLines: boolean): Promise<void> {
  const { engine, template } = await engineAndTemplate(text)
  const render = (values: object): string => {
    try {
      return String(engine.renderSync(template, values))
    } catch (error) {
      throw invalid(error)
    }
  }
  let rest = ''
  await print({
    ...stdout,
    write: async part => {
      rest += String(part)
      if (!isLines) return
      const lines = rest.split('\n')
      rest = lines.pop() ?? ''
      const shown = lines.map(line => `${render(JSON.parse(line))}\n`)
      if (shown.length > 0) await stdout.write(shown.join(''))
    },
  })
  if (rest.trim() === '') return
  const values: object[] = [JSON.parse(rest)].flat()
  await stdout.write(values.map(value => `${render(value)}\n`).join(''))
}

/** Liquid says the line and the column. */
const invalid = (error: unknown): Failure =>
  new Failure('usage', `--template: ${(error as Error).message.split('\n')[0]}`, {
    hint: "for example: --template '{{ start_date }} {{ title }}'",
  })
