/**
 * Words that people write in several ways: abbreviated, or in another language than the rest of the name. Each line has the
 * forms of one word, folded, the first of which stands for all.
 */
const streets = `
carrer calle street c cl carr
placa plaza square pl pza plza pca pça sq
avinguda avenida avenue av avda avd avgda ave
passeig paseo promenade pg pº po pso psg
carretera road ctra crta rd
rambla rbla
passatge pasaje passage ptge pje psje
travessera travesera travessia travesia trav tva
cami camino lane cno
ronda rda
urbanitzacio urbanizacion urb
poligon poligono pol pgno
numero number num nº núm n`

const kinds = `
teatre teatro theatre theater
biblioteca library bib bibl
museu museo museum mus
sala hall
centre centro center ctre ctro
cultural cult
civic civico
esglesia iglesia church esgl igl
ajuntament ayuntamiento ajunt ayto aj
parc parque park
escola escuela school esc
mercat mercado market
pavello pabellon pavilion pav
auditori auditorio auditorium aud audit
casa house
castell castillo castle
jardi jardin garden
jardins jardines gardens
platja playa beach
cinema cine
estacio estacion station
poliesportiu polideportivo
municipal mpal mun
edifici edificio building edif
associacio asociacion association ass assoc asoc
fundacio fundacion foundation fund
universitat universidad university univ
collegi colegio
institut instituto institute ies
restaurant restaurante rest
llibreria libreria bookshop
galeria gallery gal
companyia compania company cia
grup grupo group
orquestra orquesta orchestra
espai espacio space
taller workshop
festival fest
concert concierto
exposicio exposicion exhibition expo
musica music
dansa danza dance
fira feria fair`

const others = `
sant san saint st
santa sta
santes santas stes stas
doctor doctora dr dra
nostra nuestra ntra nstra
senyora señora senora sra
senyor señor senor sr
mossen mn`

/** Words by which things of one kind differ: with one of them, a name is another one. */
const contrasts = `
nord norte north
sud sur south
est este east
oest oeste west
gran grande big large
petit petita pequeno pequena small little
nou nova nuevo nueva new
vell vella viejo vieja old
alt alta upper
baix baixa bajo baja lower
dalt arriba
interior exterior
esquerra izquierda left
dreta derecha right
superior inferior
infantil juvenil adults familiar
mati manana matinee tarda vespre nit`

/** A word as names are compared: the form that stands for all, and what it says. */
export interface WordForm {
  readonly form: string
  /** What a name is without: `street`, `kind` (of thing), or a word like any other. */
  readonly role: 'street' | 'kind' | 'other'
}

const formsIn = (lines: string, role: WordForm['role']): [string, WordForm][] =>
  lines
    .trim()
    .split('\n')
    .flatMap(line => {
      const words = line.split(' ')
      return words.map((word): [string, WordForm] => [word, { form: words[0] ?? word, role }])
    })

const forms: ReadonlyMap<string, WordForm> = new Map([
  ...formsIn(streets, 'street'),
  ...formsIn(kinds, 'kind'),
  ...formsIn(others, 'other'),
])

/** The usual form of a folded word; undefined for one that has no other. */
export const wordForm = (word: string): WordForm | undefined => forms.get(word)

const contrasting: ReadonlySet<string> = new Set(contrasts.trim().split(/\s+/))

/** Whether a folded word tells things of one kind apart, like `nord` and `sud`. */
export const isContrast = (word: string): boolean => contrasting.has(word)
