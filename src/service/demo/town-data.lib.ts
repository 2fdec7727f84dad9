/** In a file of its own in the built program: only the demo needs it. */
export { default as townData } from './town.json' with { type: 'json' }
