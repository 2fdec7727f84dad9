import nodeIcal from 'node-ical'

// node-ical makes an old polyfill the global Temporal, in which no clock changes from ten years after now on. Packages that
// prefer a global Temporal would take it from there.
Reflect.deleteProperty(globalThis, 'Temporal')

/** A parser of iCalendar that calctl does not use. */
export const parseICalendar = (text: string) => nodeIcal.sync.parseICS(text)
