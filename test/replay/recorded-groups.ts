import { readFileSync } from 'node:fs'
import { type Recording, readRecording } from './player/recording.ts'

const read = (name: string): string => readFileSync(new URL(`recorded/${name}.ndjson`, import.meta.url), 'utf8')

const names = [
  'first',
  'writes',
  'lists',
  'terms',
  'edges',
  'inline',
  'zone-madrid',
  'zone-offset2',
  'zone-sitemode',
  'second',
  'third',
  'fourth',
]

/** The recorded groups, each with the writes that precede it. */
export function groups(): Recording[] {
  return names.map(name => readRecording(read(name), () => read('seed')))
}
