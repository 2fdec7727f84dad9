import { parseAllDocuments, type ScalarTag } from 'yaml'
import { Failure } from '../failure.ts'

const numbers = ['tag:yaml.org,2002:int', 'tag:yaml.org,2002:float']

/** Numbers that are written as JavaScript would; all others stay text, so that a postal code keeps its zeros. */
const plainNumber: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^(?:0|[1-9]\d{0,14})$/,
  resolve: Number,
}

/** The documents of a YAML file as plain values. */
export function documentsIn(text: string, name: string): unknown[] {
  const documents = parseAllDocuments(text, {
    customTags: tags => [...tags.filter(tag => typeof tag === 'string' || !numbers.includes(tag.tag)), plainNumber],
  })
  return [...documents].map(document => {
    const [error] = document.errors
    if (!error) return document.toJS()
    const [position] = error.linePos ?? []
    const reason = error.message.split('\n')[0]?.replace(/ at line.*$/, '')
    throw new Failure('usage', `${name}: ${position ? `line ${position.line}: ` : ''}malformed YAML: ${reason}`, {
      hint: 'check the indentation and the quotes there',
    })
  })
}
