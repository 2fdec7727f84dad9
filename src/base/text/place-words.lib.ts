/** In a file of its own in the built program: only the names of places need it. */
export { default as placeWords } from './place-words.json' with { type: 'json' }
