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
    const [position] = error?.linePos ?? []
    if (error) throw malformed(`${name}: ${position ? `line ${position.line}: ` : ''}`, error)
    try {
      return document.toJS()
    } catch (error) {
      throw malformed(`${name}: `, error as Error)
    }
  })
}

const malformed = (place: string, { message }: Error): Failure =>
  new Failure('usage', `${place}malformed YAML: ${message.split('\n')[0]?.replace(/ at line.*$/, '')}`, {
    hint: 'check the indentation and the quotes there',
  })
