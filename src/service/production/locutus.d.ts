// Only this file of the package is bundled (17 kB). The version is frozen at the last one of 2.x: on the phrases that were compared,
// 3.0.36 reads dates the same way.
declare module 'locutus/php/datetime/strtotime.js' {
  /** In seconds since the epoch, or false; works in the time zone of the process. */
  export default function strtotime(text: string, now: number): number | false
}
