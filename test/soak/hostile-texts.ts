/** What a terminal obeys, hides or reorders: one text of each kind. */
export const attacks: Readonly<Record<string, string>> = {
  clipboard: '\u001b]52;c;cm0gLXJmIH4=\u0007',
  title: '\u001b]0;title\u001b\\',
  link: '\u001b]8;;http://evil.test\u001b\\here\u001b]8;;\u001b\\',
  device: '\u001bPq#0\u001b\\',
  clear: '\u001b[2J\u001b[H',
  color: '\u001b[31;41m',
  report: '\u001b[6n',
  reset: '\u001bc',
  controls8Bit: '\u009b31m\u009d52;c;cm0=\u009c\u0090q\u009c\u0085',
  unfinished: '\u001b]52;c;cm0=',
  lone: '\u001b',
  bell: '\u0007\u0007',
  carriageReturn: 'good\rbad',
  backspace: 'bad\b\b\bgood',
  formFeed: '\u000b\u000c\u000e\u000f\u0000\u007f',
  bidi: '\u202e\u2066\u2067\u2069\u200e\u200f\u061c',
  zeroWidth: '\u200b\u200c\u200d\u2060\ufeff\u00ad\u180e',
  separators: '\u2028\u2029',
  tags: '\u{e0041}\u{e007f}',
  fillers: '\u3164\u115f\u034f',
}

/** All of them in one text. */
export const hostileText = Object.values(attacks).join('·')

/** Where an attack stands in a text. */
const places: Readonly<Record<string, (attack: string) => string>> = {
  alone: attack => attack,
  first: attack => `${attack}Jazz`,
  last: attack => `Jazz${attack}`,
  withinWord: attack => `Ja${attack}zz`,
  betweenWords: attack => `Jazz ${attack} night`,
  ownLine: attack => `Jazz\n${attack}\nnight`,
  twice: attack => `${attack}Jazz${attack}`,
  inSequence: attack => `Jazz\u001b[3${attack}1mnight`,
  inTitle: attack => `\u001b]0;Jazz${attack}\u001b\\night`,
  joined: attack => `👩\u200d${attack}\ufe0f👧`,
}

/** Each attack in each place, by both names. */
export const hostileTexts: ReadonlyMap<string, string> = new Map(
  Object.entries(attacks).flatMap(([attack, text]) =>
    Object.entries(places).map(([place, within]) => [`${attack}, ${place}`, within(text)] as const),
  ),
)

/** What a terminal gets nothing of. */
const dangerous = /(?![\n\t]|\ufe0e|\ufe0f)[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu

/** The characters in a text that must not reach a terminal, as code points. */
export const dangerousIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(dangerous)].map(([character]) => `U+${character.codePointAt(0)?.toString(16).padStart(4, '0')}`),
  ),
]
