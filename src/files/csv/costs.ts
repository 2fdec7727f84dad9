import { Failure } from '../../failure.ts'

/** How a sheet writes its costs: with decimal points; with commas or points; with commas, and points between thousands. */
export type CostForm = 'points' | 'commas' | 'grouped'

/** `1.250`, which is 1250 where points stand between thousands, and 1.25 where they do not. */
const open = /^-?\d{1,3}\.\d{3}$/

/** `12,50`, `1.250,50` */
const decimalComma = /^'*-?(\d{1,3}(\.\d{3})+|\d+),\d+$/

/** `1.250.000` */
const thousands = /^'*-?\d{1,3}(\.\d{3}){2,}$/

const isEuropean = (text: string): boolean => decimalComma.test(text) || thousands.test(text)

/** Finds out how a sheet writes its costs. */
export interface CostFinder {
  readonly form: CostForm
  /** Whether a cost was met that can be read in two ways, and none that decides. */
  readonly isOpen: boolean
  see(text: string, place: string): void
  /** The failure that a file ends with when nothing decided. */
  refusal(): Failure
}

/** Where decimals can have commas, the first cost that can be read in one way only decides what points mean. */
export function costFinder(name: string, hasCommas: boolean): CostFinder {
  let form: CostForm | undefined = hasCommas ? undefined : 'points'
  let met: { text: string; place: string } | undefined
  return {
    get form() {
      return form ?? 'commas'
    },
    get isOpen() {
      return form === undefined && met !== undefined
    },
    see(given, place) {
      if (form) return
      const text = given.trim()
      if (isEuropean(text)) form = 'grouped'
      else if (open.test(text)) met ??= { text, place }
      else if (/^-?\d+\.\d+$/.test(text)) form = 'commas'
    },
    refusal() {
      const { text, place } = met ?? { text: '', place: '' }
      const whole = text.replace('.', '')
      return new Failure('usage', `${name}: ${place}: ${text} can be ${whole} or ${Number(text)}`, {
        hint: `write ${whole}, or ${text.replace('.', ',')} with a comma`,
      })
    },
  }
}

/** `12,50` and `1.234,50` as `12.50` and `1234.50`; takes back what `withComma` does. */
export function withPoint(text: string, form: CostForm): string {
  if (form === 'points') return text
  if (text.startsWith("'") && isEuropean(text)) return text.slice(1)
  const isGrouped = isEuropean(text) || (form === 'grouped' && open.test(text))
  return isGrouped ? text.replaceAll('.', '').replace(',', '.') : text
}

/** `12.50` as `12,50`. */
export const withComma = (text: string): string =>
  /^-?\d+\.\d+$/.test(text) ? text.replace('.', ',') : isEuropean(text) ? `'${text}` : text
