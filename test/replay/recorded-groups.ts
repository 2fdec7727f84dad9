import { readFileSync } from 'node:fs'
import { type RecordedStep, type Recording, readRecording } from '../../src/testing/parity/recording.ts'

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
]

/** The recorded groups, each with the writes that precede it. */
export function groups(): Recording[] {
  const seed = read('seed')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as RecordedStep)
  return names.map(name => {
    const recording = readRecording(read(name), name)
    return recording.start === 'seed' ? { ...recording, steps: [...seed, ...recording.steps] } : recording
  })
}
