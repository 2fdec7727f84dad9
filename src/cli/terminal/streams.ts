import { escapeControls, sanitize, sanitizePainted } from '../../base/text/escaping.ts'
import { createTurns } from '../../base/turns.ts'
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
 * The only way to a stream: a terminal never gets a character that it would obey, hide or reorder, whoever wrote the text. Files and pipes
 * get every byte. Writing waits for nothing if the stream takes everything, so that signals have their turn here.
 */
export const safeSink = ({ write, isTTY, columns, rows }: Target): Sink => {
  const turn = createTurns()
  return {
    async write(text, form = 'text') {
      await write(isTTY ? harmless[form](asText(text)) : text)
      await turn()
    },
    isTTY,
    columns,
    rows,
  }
}

const asText = (text: string | Uint8Array): string => (typeof text === 'string' ? text : Buffer.from(text).toString())
