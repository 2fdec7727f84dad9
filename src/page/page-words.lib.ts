/** In a file of its own in the built program: only servers need it. */
export { default as words } from './page-words.json' with { type: 'json' }
