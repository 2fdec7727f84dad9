/** The one part of undici that is used; all of it at once would take three times as long to load. */
export { default as Pool } from 'undici/lib/dispatcher/pool.js'
