import type { Exchange } from './recording.ts'

interface Rule {
  readonly reason: string
  readonly applies: (exchange: Exchange) => boolean
}

/** Exchanges that are not compared, and why. */
export const rules: readonly Rule[] = [
  {
    reason: 'a subscriber lists events or creates a place, which our service answers as it does a contributor',
    applies: ({ name }) => /^(list-events-(default|status-draft)|(venue|organizer)-create)-subscriber$/.test(name),
  },
  {
    reason: 'sent by an author, a role that our service does not have: it knows editors, contributors and the public',
    applies: ({ request }) => request.headers.authorization === 'Basic <author>',
  },
  {
    reason: 'about the newer API of the plugin, which our service does not answer',
    applies: ({ name, request }) => /^\/wp-json\/tec\/v1\b/.test(request.path) || name === 'newer-api-after',
  },
  {
    reason: 'the front page is not a part of the service; tests of serve ask for it',
    applies: ({ name }) => name === 'front-head',
  },
]

export const isLeftOut = (exchange: Exchange): boolean => rules.some(({ applies }) => applies(exchange))
