/** A text without percent-encoding: `Coral%20Vella` is `Coral Vella`. Malformed encoding stays as it is. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
