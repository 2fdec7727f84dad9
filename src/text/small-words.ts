/** Articles and prepositions, with or without which people write names and headings. */
export const smallWords: ReadonlySet<string> = new Set(
  'a al d de del dels e el els en i l la las les los of s the y and'.split(' '),
)
