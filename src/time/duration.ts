const inMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Reads `200ms`, `30s`, `5m`, `2h`, `90d`, or a bare number of seconds; in ms, undefined for anything else. */
export function readDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text.trim())
  if (!match) return undefined
  const unit = (match[2] ?? 's') as keyof typeof inMs
  return Number(match[1]) * inMs[unit]
}
