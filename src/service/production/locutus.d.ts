declare module 'locutus/php/datetime/strtotime.js' {
  /** In seconds since the epoch, or false; works in the time zone of the process. */
  export default function strtotime(text: string, now: number): number | false
}
