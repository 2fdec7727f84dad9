import { memoizeByObject } from '../../base/memoize.ts'
import type { Context, Dialect } from '../dialect.ts'
import { type Indexes, indexesOf } from '../indexes/indexes.ts'
import type { Store } from '../store/store.ts'

/**
 * The texts of rows. Rows never change, so the text of one is valid until it is replaced, or something else that the text contains is:
 * `embedded` says what that is now.
 */
interface KeptTexts {
  find(row: object, embedded?: unknown): Buffer | undefined
  /** Returns the text. */
  keep(text: Buffer, row: object, embedded?: unknown): Buffer
  forget(row: object): void
}

/** Keeps as many bytes as there is room for; the oldest texts make room for new ones. */
function createKeptTexts(room: number): KeptTexts {
  const texts = new Map<object, { readonly embedded: unknown; readonly text: Buffer }>()
  let used = 0
  let oldest = texts.keys()
  const forget = (row: object) => {
    used -= texts.get(row)?.text.length ?? 0
    texts.delete(row)
  }
  const makeRoom = () => {
    while (used > room) {
      const { value, done } = oldest.next()
      if (done) oldest = texts.keys()
      else forget(value)
    }
  }
  return {
    find(row, embedded) {
      const known = texts.get(row)
      return known?.embedded === embedded ? known?.text : undefined
    },
    keep(text, row, embedded) {
      forget(row)
      texts.set(row, { embedded, text })
      used += text.length
      makeRoom()
      return text
    },
    forget,
  }
}

/** The texts of a calendar in a dialect, at an address, with a main language: all that texts depend on besides rows. */
export interface Texts {
  readonly dialect: Dialect
  readonly address: string
  readonly language: string
  /** Events without their links, and what they link to. */
  readonly own: KeptTexts
  /** Events as they are for readers without their password. */
  readonly hidden: KeptTexts
  /** The counts that texts of terms contain. */
  readonly indexes: Indexes
}

const megabyte = 1024 * 1024

/** The own texts of 20,000 events take 45 MB. */
const createTexts = (key: Pick<Texts, 'dialect' | 'address' | 'language' | 'indexes'>): Texts => ({
  ...key,
  own: createKeptTexts(64 * megabyte),
  hidden: createKeptTexts(4 * megabyte),
})

const textsOfStores = memoizeByObject((store: Store): Texts[] => {
  const all: Texts[] = []
  store.onChange(({ before }) => {
    if (!before) return
    for (const { own, hidden } of all) {
      own.forget(before)
      hidden.forget(before)
    }
  })
  return all
})

/** The texts for a request. Those for an earlier main language of the calendar are dropped. */
export function textsFor({ store, dialect, baseUrl, namespace }: Context): Texts {
  const address = `${baseUrl}/${namespace}`
  const { language } = store.site
  const all = textsOfStores(store)
  const index = all.findIndex(texts => texts.dialect === dialect && texts.address === address)
  const known = all[index]
  if (known?.language === language) return known
  const texts = createTexts({ dialect, address, language, indexes: indexesOf(store) })
  all.splice(known ? index : all.length, 1, texts)
  return texts
}
