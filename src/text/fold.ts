/** A text without case and accents, for comparing. */
export const foldCase = (text: string): string =>
  /^[\0-\x7f]*$/.test(text) ? text.toLowerCase() : text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
