import type { Exchange } from './player/recording.ts'

interface Rule {
  readonly reason: string
  readonly applies: (exchange: Exchange) => boolean
}

/** Exchanges that are not compared, and why. */
export const rules: readonly Rule[] = [
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
