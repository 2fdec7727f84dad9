// A file of its own, because a lazy import of the bundled package itself would lose its named exports.
import { stringify } from 'yaml'
import type { Form } from './printed-rows.ts'
import type { Projection } from './projection.ts'

/** Any value as a YAML document; long texts stay on one line. */
export const yamlText = (value: unknown): string => stringify(value, { lineWidth: 0 })

/** A document for one record, a sequence for several, written record by record. */
export const yaml = (single: boolean, project: Projection): Form =>
  single
    ? { record: record => yamlText(project(record)) }
    : { record: record => yamlText([project(record)]), close: count => (count === 0 ? '[]\n' : '') }
