/**
 * Words in the names of places, with their abbreviations and translations. Each group has the folded forms of one word; the first is the
 * canonical one. `compared-names.ts` has those that other names have, too.
 */
import { once } from '../memoize.ts'
import { canonicalWord } from './compared-names.ts'

/** Kinds of places that a name begins with, or in English ends with. Those in one line are easily taken for each other. */
const kinds = `
carrer; avinguda; passeig; rambla; passatge; ronda; cami; carretera; travessera; placa placeta; parc jardins jardi
esglesia parroquia ermita capella basilica catedral monestir convent; pavello poliesportiu gimnas; camp estadi; pista; piscina
casal ateneu centre casa espai; teatre auditori sala cinema; biblioteca; museu; castell; escola; institut; collegi; universitat
ajuntament vila; mercat; platja; estacio; edifici; llibreria; galeria; restaurant bar cafe; hotel hostal alberg; hospital
cementiri; palau; moli; masia; port; pont; font`

/** Kinds of which a town has many, so that the kind alone is no name. */
const common =
  'carrer avinguda passeig rambla passatge ronda cami carretera travessera placa placeta parc jardins jardi'

/** Words that many places have and that are often left out, those that distinguish places of one kind, and those before a name. */
const others = {
  weak: 'municipal cultural civic public local esports',
  contrast: 'nord sud est oest gran petit nou vell alt baix dalt interior exterior superior inferior',
  saint: 'sant santa st',
} as const

const variants = `
placa pc; placeta plazoleta plazuela; parc pk; carrer carrero; parroquia parish; ermita hermitage; capella capilla chapel
catedral cathedral; monestir monasterio monastery; convent convento; gimnas gimnasio gym gymnasium; camp campo field pitch
estadi estadio stadium; pista court; piscina pool piscines piscinas; ateneu ateneo athenaeum; bar pub taverna taberna
cafe cafeteria; hostal hostel; alberg albergue; cementiri cementerio cemetery; palau palacio palace; moli molino mill
masia masies mas; port puerto harbour; pont puente bridge; font fuente fountain; public publica publico
esports esport esportiu esportiva deporte deportes deportivo deportiva sport sports; major mayor main; vila villa
principal ppal ppl pral; joves jove joven jovenes; joventut juventud youth; historia history; ciutat ciudad city
poble pueblo village; football futbol; art arte arts artes; mar sea; riu rio river; pau paz peace
nord norte north; sud sur south; est este east; oest oeste west; gran grande big large
petit petita pequeno pequena small little; nou nova nuevo nueva new; vell vella viejo vieja old; alt alta upper
baix baixa bajo baja lower`

/** The names of saints and other persons. */
const persons = `
sant san santo sto; santa sta; st saint; pere pedro peter; pol pablo paul; joan juan john; jaume jaime james; jordi jorge george
miquel miguel michael; llorenc lorenzo lawrence; esteve esteban stephen; marti martin; bartomeu bartolome bartholomew
sebastia sebastian; antoni antonio anthony; josep jose joseph; maria mary; anna ana anne ann; francesc francisco francis
vicenc vicente vincent; andreu andres andrew; mateu mateo matthew; marc marcos mark; lluc lucas luke; lluis luis louis
nicolau nicolas nicholas; feliu felix; cristofol cristobal christopher; domenec domingo dominic; agusti agustin augustine
bernat bernardo bernard; climent clemente clement; cugat cucufate; elisabet isabel elizabeth; genis gines; llucia lucia lucy
caterina catalina catherine; margarida margarita margaret; merce mercedes; narcis narciso; oleguer olegario; roc roque
rafel rafael; valenti valentin; enric enrique henry; carles carlos charles; ferran fernando; alfons alfonso
guillem guillermo william; eduard eduardo edward; xavier javier; ignasi ignacio; jeroni jeronimo jerome; benet benito benedict
blai blas blaise; julia julian; damia damian; isidre isidro isidore; lleonard leonardo leonard; quirze quirico
sadurni saturnino; tomas thomas; gregori gregorio gregory; roser rosario; dolors dolores; carme carmen; assumpcio asuncion
esperit espiritu; trinitat trinidad trinity; creu cruz cross`

/** Names of several words that are one kind of place. */
const phrases: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/\b(?:town|city) hall\b|\bcasa (?:de la )?(?:vila|villa|consistorial|ciutat)\b/g, 'ajuntament'],
  [/\bhigh street\b/g, 'carrer major'],
  [/\bsports (?:center|centre|hall)\b|\b(?:centre|centro|complex) (?:d'esports|esportiu|deportivo)\b/g, 'poliesportiu'],
  [/\bc\.?\s?c\.?(?=\s)/g, 'centre'],
  [/\bc\s*\//g, 'carrer '],
  [/\bs\s*\/\s*n\b|\bnum\.|'s\b/g, ' '],
]

const groupsIn = (text: string): string[][] => text.split(/[;\n]/).map(group => group.split(' ').filter(Boolean))

/** What a word is in a name: a kind of place, a word that distinguishes little, one that contrasts, or any other. */
export type PlaceRole = 'kind' | 'weak' | 'contrast' | 'saint' | 'plain'

const tables = once(() => {
  const forms = new Map(
    groupsIn(`${variants}\n${persons}`).flatMap(group => group.map(word => [word, group[0] ?? word])),
  )
  const roles = new Map<string, PlaceRole>()
  const families = new Map<string, number>()
  for (const [family, group] of groupsIn(kinds).entries())
    for (const word of group) {
      roles.set(word, 'kind')
      families.set(word, family)
    }
  for (const role of ['weak', 'contrast', 'saint'] as const)
    for (const word of others[role].split(' ')) roles.set(word, role)
  return { forms, roles, families, common: new Set(common.split(' ')) }
})

/** The canonical form of a folded word; undefined if it has no variants and is no kind of place. */
export const placeForm = (word: string): string | undefined =>
  tables().forms.get(word) ?? canonicalWord(word) ?? (tables().roles.has(word) ? word : undefined)

export const placeRole = (form: string): PlaceRole => tables().roles.get(form) ?? 'plain'

/** Whether two kinds of places are easily taken for each other, like church and parish. */
export const areRelated = (kind: string, other: string): boolean =>
  tables().families.has(kind) && tables().families.get(kind) === tables().families.get(other)

export const isCommonKind = (kind: string): boolean => tables().common.has(kind)

/** A folded name with one word for each kind of place. */
export const withPlainKinds = (name: string): string =>
  phrases.reduce((text, [pattern, words]) => text.replace(pattern, words), name)
