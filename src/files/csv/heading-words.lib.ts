/** In a file of its own in the built program: only sheets need it. */
export { default as headingWords } from './heading-names.json' with { type: 'json' }
