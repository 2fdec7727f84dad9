import { parseAllDocuments } from 'yaml'
import { Failure } from '../failure.ts'

const numbers = ['tag:yaml.org,2002:int', 'tag:yaml.org,2002:float']

/** The documents of a YAML file as plain values. Numbers stay as they are written, so that a postal code keeps its zeros. */
export function documentsIn(text: string, name: string): unknown[] {
  const documents = parseAllDocuments(text, {
    customTags: tags => tags.filter(tag => typeof tag === 'string' || !numbers.includes(tag.tag)),
  })
  return [...documents].map(document => {
    const [error] = document.errors
    if (!error) return document.toJS()
    const [line] = error.linePos ?? []
    const reason = error.message.split('\n')[0]?.replace(/ at line.*$/, '')
    throw new Failure('usage', `${name}: ${line ? `line ${line.line}: ` : ''}malformed YAML: ${reason}`, {
      hint: 'check the indentation and the quotes there',
    })
  })
}
