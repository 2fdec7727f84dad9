import { escapeControls, sanitize, sanitizePainted } from '../text/escaping.ts'
import type { Sink, TextForm } from '../world.ts'

/** Where a sink writes to. */
interface Target extends Pick<Sink, 'isTTY' | 'columns' | 'rows'> {
  write(text: string | Uint8Array): Promise<void>
}

const harmless: Readonly<Record<TextForm, (text: string) => string>> = {
  text: sanitize,
  json: escapeControls,
  painted: sanitizePainted,
}

/**
 * The only way to a stream. Whatever a command prints, and whoever wrote it, a terminal gets no character that it would obey, hide or
 * reorder. Files and pipes get every byte.
 */
export const safeSink = ({ write, isTTY, columns, rows }: Target): Sink => ({
  write: (text, form = 'text') => write(isTTY ? harmless[form](asText(text)) : text),
  isTTY,
  columns,
  rows,
})

const asText = (text: string | Uint8Array): string => (typeof text === 'string' ? text : Buffer.from(text).toString())
