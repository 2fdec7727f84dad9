/**
 * The source of a module whose functions load another module, at `path`, when they are first called. Only functions can be wrapped so: a
 * class would lose `new`, its static methods and `instanceof`, and is refused.
 */
export function lateFunctions(path, names, loaded) {
  for (const name of names) {
    if (typeof loaded[name] !== 'function') throw new Error(`${path} has no function ${name}`)
    if (isClass(loaded[name])) throw new Error(`${name} of ${path} is a class, which cannot be called late`)
  }
  return [
    'let library',
    `const load = () => (library ??= require('${path}'))`,
    ...names.map(key => `export const ${key} = (...given) => load().${key}(...given)`),
  ].join('\n')
}

/** Some classes of Node are functions with methods. */
function isClass(value) {
  const methods = Object.getOwnPropertyNames(value.prototype ?? {}).filter(name => name !== 'constructor')
  return /^class\b/.test(Function.prototype.toString.call(value)) || methods.length > 0
}
