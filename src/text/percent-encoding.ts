/** A text without percent-encoding: `Coral%20Vella` is `Coral Vella`. Malformed encoding stays as it is. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A text for a path or a query. Half a surrogate pair, which is no character, becomes the replacement character. */
export const encodePercent = (text: string): string => encodeURIComponent(Buffer.from(text).toString())
