import { doubleRecords } from './double-records.ts'
import { markup } from './markup.ts'
import { places } from './places.ts'
import type { Rule } from './rule.ts'
import { series } from './series.ts'
import { statusRules } from './statuses.ts'
import { texts } from './texts.ts'
import { times, zones } from './times.ts'
import { translationsDiffer, wrongLanguage } from './translation-facts.ts'
import { images, links } from './web-links.ts'
import { wording } from './wording.ts'

/** All rules, in the order in which they are listed. */
export const rules: readonly Rule[] = [
  ...times,
  ...zones,
  ...places,
  doubleRecords,
  ...images,
  ...series,
  ...texts,
  ...wording,
  ...markup,
  wrongLanguage,
  ...links,
  ...statusRules,
  translationsDiffer,
]
