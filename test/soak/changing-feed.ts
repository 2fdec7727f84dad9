import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Stage } from './attack-stage.ts'

/** An event of the feed; a series has four dates. */
export interface FeedEvent {
  readonly uid: string
  readonly isSeries: boolean
  revision: number
  hour: number
}

export const newEvent = (number: number): FeedEvent => ({
  uid: `u${number}x`,
  isSeries: number % 5 === 0,
  revision: 1,
  hour: 10 + (number % 9),
})

/** Changes some events, drops one and adds one; returns the dropped one. */
export function changeFeed(feed: FeedEvent[], random: () => number, round: number): FeedEvent | undefined {
  for (const event of feed) {
    if (random() < 0.3) event.revision += 1
    if (random() < 0.2) event.hour = 9 + Math.floor(random() * 12)
  }
  feed.push(newEvent(1000 + round))
  return random() < 0.5 ? feed.splice(Math.floor(random() * feed.length), 1)[0] : undefined
}

export const titleOf = ({ uid, revision }: FeedEvent): string => `Fair ${uid} version ${revision}`

export function writeFeed({ folder }: Stage, feed: readonly FeedEvent[], round: number): string {
  const lines = feed.flatMap((event, index) => {
    const day = `2027${String((index % 9) + 1).padStart(2, '0')}${String(10 + (index % 10)).padStart(2, '0')}`
    return [
      'BEGIN:VEVENT',
      `UID:${event.uid}@example.org`,
      `SEQUENCE:${event.revision}`,
      `SUMMARY:${titleOf(event)}`,
      `DESCRIPTION:Text of ${event.uid}\\, version ${event.revision}.\\n\\nSecond paragraph & <b>more</b>`,
      `DTSTART;TZID=Europe/Madrid:${day}T${event.hour < 10 ? '0' : ''}${event.hour}0000`,
      'DURATION:PT1H',
      ...(event.isSeries ? ['RRULE:FREQ=WEEKLY;COUNT=4'] : []),
      `LOCATION:Hall ${index % 3} & Bar`,
      'CATEGORIES:Town',
      'END:VEVENT',
    ]
  })
  const file = join(folder, `feed-${round}.ics`)
  writeFileSync(
    file,
    `${['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x//x', ...lines, 'END:VCALENDAR'].join('\r\n')}\r\n`,
  )
  return file
}
