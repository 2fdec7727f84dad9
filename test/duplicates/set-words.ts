import type { Language } from '../../src/contract/languages.ts'

/** A kind of venue; `*` stands for its name. */
export interface Kind {
  readonly pattern: string
}

interface Vocabulary {
  readonly cities: readonly string[]
  readonly kinds: readonly Kind[]
  readonly names: readonly string[]
  readonly streets: readonly string[]
  readonly people: readonly string[]
  readonly departments: readonly string[]
  readonly titles: readonly string[]
  readonly tags: readonly string[]
  /** Tags of their own that are a letter or a word away from another. */
  readonly closeTags: readonly string[]
  readonly rooms: readonly (readonly [string, string])[]
  readonly chains: readonly string[]
  readonly square: string
  readonly cafe: string
  readonly group: string
  readonly forChildren: string
}

const list = (text: string): string[] =>
  text
    .split('|')
    .map(one => one.trim())
    .filter(one => one !== '')

const pairs = (text: string): [string, string][] =>
  list(text).map(pair => {
    const [one = '', other = ''] = pair.split(' / ')
    return [one, other]
  })

const kindsIn = (text: string): Kind[] => list(text).map(pattern => ({ pattern }))

/** Words for the half of a set: what one half uses, the other does not. */
export const words = (language: Language, half: 0 | 1): Vocabulary => vocabularies[language][half]

const vocabularies: Readonly<Record<Language, readonly [Vocabulary, Vocabulary]>> = {
  ca: [
    {
      cities: list('Girona | Figueres | Olot | Banyoles | Blanes | Palafrugell | Sant Feliu de Guíxols'),
      kinds: kindsIn('Teatre * | Biblioteca * | Centre Cívic * | Museu * | Pavelló * | Ateneu *'),
      names: list(
        'Municipal de la Ribera | Carles Rahola | Salvador Allende | de l’Empordà | Fontajau | Jaume Vicens Vives | Mercè Rodoreda | el Jardí | Prudenci Bertrana | de la Garrotxa | Santa Eugènia | Montserrat Roig | la Gorga | Víctor Català | Bernat Metge | Pla de l’Estany | Ramon Muntaner | Sant Narcís | Caterina Albert | l’Amistat | Carme Guasch | Torras i Bages | la Cate | Joaquim Ruyra | Pericot | Can Ninetes',
      ),
      streets: list(
        'Carrer de la Força | Plaça Catalunya | Avinguda Jaume I | Passeig de la Devesa | Carrer Nou del Teatre | Carretera de Santa Coloma | Rambla de la Llibertat',
      ),
      people: list(
        'Associació de Veïns de Montilivi | Orfeó Gironí | Colla Gegantera de Salt | Fundació Valvi | Amics de la Sardana | Coral Sant Esteve | Grup Excursionista | Òmnium Cultural | Club Natació Banyoles | Cineclub Truffaut | Marrecs de Salt | Unió de Botiguers',
      ),
      departments: list('Regidoria de Cultura | Regidoria de Joventut | Regidoria d’Esports | Regidoria de Festes'),
      titles: list(
        'Jazz a la plaça | Hora del conte: En Patufet | Mercat de pagès | Concert de Nadal | Visita guiada al call | Cinema a la fresca | Taller de ceràmica | Sardanes a la tarda | Presentació del llibre «Aigua» | Ball de gegants',
      ),
      tags: list(
        'Música en directe | Exposicions | Gastronomia | Activitats gratuïtes | Natura | Sardanes | Ciència | Fotografia | Patrimoni | Voluntariat | Accessible | Poesia',
      ),
      closeTags: list('Música | Dansa | Danses | Teatre | Tast | Test | Cant | Cine | Cinc'),
      rooms: pairs(
        'Auditori Sala A / Auditori Sala B | Aula 1 / Aula 2 | Biblioteca Nord / Biblioteca Sud | Sala Gran del Casino / Sala Petita del Casino | Escola Pública 1 / Escola Pública 2 | Sala Miró / Sala Dalí',
      ),
      chains: list('Cafè Rocambolesc | Llibreria Empúries'),
      square: 'Plaça Major',
      cafe: 'Cafeteria del',
      group: 'grup',
      forChildren: 'Infantil',
    },
    {
      cities: list('Lleida | Balaguer | Tàrrega | Cervera | Mollerussa | Solsona | La Seu d’Urgell'),
      kinds: kindsIn('Sala * | Auditori * | Casal * | Església de * | Espai * | Poliesportiu *'),
      names: list(
        'Enric Granados | Màrius Torres | l’Escorxador | Sant Llorenç | la Llotja | Pau Casals | Rosa Parés | Cal Trepat | Josep Finestres | Agnès Gregori | la Unió | Sícoris | el Segre | Onze de Setembre | Pedro Pastor | Maria Rúbies | la Passió | Lo Casal | Baldomer Gili | Duran i Sanpere | la Bordeta | Cardenal Ladislau | Manuel de Pedrolo | la Sitja | Ramon Berenguer | Cappont',
      ),
      streets: list(
        'Carrer de Cavallers | Plaça de Sant Joan | Avinguda de Blondel | Passeig de Ronda | Carrer Major de Baix | Carretera de Torrefarrera | Rambla de Ferran',
      ),
      people: list(
        'Associació de Dones de Ponent | Coral Shalom | Colla Castellera de Lleida | Fundació Sorigué | Amics de l’Orgue | Grup de Teatre Talia | Centre Excursionista de Lleida | Penya Fragatina | Club Sícoris | Cineclub Garrigues | Gremi de Forners | Escolta Arnau',
      ),
      departments: list('Àrea de Turisme | Àrea d’Educació | Àrea de Salut | Àrea d’Habitatge'),
      titles: list(
        'Nit de blues | Contes al vespre | Fira de l’oli | Recital de piano | Passejada pels canals | Projecció: «El sol» | Curs de fotografia | Castells a la fira | Tertúlia literària amb l’autora | Festa de l’esport',
      ),
      tags: list(
        'Circ i carrer | Conferències | Enoturisme | Entrada lliure | Muntanya | Castellers | Astronomia | Il·lustració | Arquitectura | Solidaritat | Familiar | Narrativa',
      ),
      closeTags: list('Òpera | Obra | Circ | Cors | Cor | Jocs | Focs | Vins | Nins'),
      rooms: pairs(
        'Cinema Sala 3 / Cinema Sala 4 | Pista A / Pista B | Pavelló Est / Pavelló Oest | Plaça Vella / Plaça Nova | Institut 1 / Institut 2 | Sala Verda del Casal / Sala Blava del Casal',
      ),
      chains: list('Gelateria Siscents | Botiga Abril'),
      square: 'Plaça de l’Església',
      cafe: 'Bar de la',
      group: 'torn',
      forChildren: 'Nadons',
    },
  ],
  es: [
    {
      cities: list('Zaragoza | Huesca | Teruel | Calatayud | Jaca | Barbastro | Alcañiz'),
      kinds: kindsIn('Teatro * | Biblioteca * | Centro Cívico * | Museo * | Pabellón * | Espacio *'),
      names: list(
        'Principal de Aragón | María Moliner | Delicias | Pablo Serrano | Siglo XXI | Goya | Ramón y Cajal | las Fuentes | Miguel Servet | San Vicente | del Carmen | Joaquín Costa | Ricardo Magdalena | Universidad Popular | José Antonio Labordeta | Río Ebro | de la Almozara | Manuel Alvar | Torrero | Buñuel | Benjamín Jarnés | la Magdalena | Rafael Andolz | Tenerías | Santa Isabel | Lucas Mallada',
      ),
      streets: list(
        'Calle de Alfonso I | Plaza de España | Avenida de Goya | Paseo de la Independencia | Calle Mayor | Carretera de Logroño | Camino de las Torres',
      ),
      people: list(
        'Asociación de Vecinos Arrabal | Coral Aragonesa | Peña Los Felices | Fundación Ibercaja | Amigos del Tren | Grupo Scout Paidós | Orquesta Sinfónica Goya | Comparsa de Gigantes | Club Montañero Pirineos | Cineclub Gandaya | Cruz Blanca | Escuela de Jota',
      ),
      departments: list(
        'Concejalía de Cultura | Concejalía de Juventud | Concejalía de Deportes | Concejalía de Mayores',
      ),
      titles: list(
        'Jazz en el patio | La hora del cuento: Garbancito | Mercado agroecológico | Concierto de Navidad | Visita a la Aljafería | Cine de verano | Taller de encuadernación | Jotas en la calle | Presentación de «El agua» | Baile de cabezudos',
      ),
      tags: list(
        'Música en directo | Exposiciones | Gastronomía | Actividades gratuitas | Naturaleza | Folclore | Ciencia | Fotografía | Patrimonio | Voluntariado | Accesible | Poesía',
      ),
      closeTags: list('Música | Danza | Danzas | Teatro | Tapas | Mapas | Vino | Cine | Canto'),
      rooms: pairs(
        'Auditorio Sala A / Auditorio Sala B | Aula 1 / Aula 2 | Biblioteca Norte / Biblioteca Sur | Salón Grande del Casino / Salón Pequeño del Casino | Colegio Público 1 / Colegio Público 2 | Sala Goya / Sala Buñuel',
      ),
      chains: list('Heladería Ártica | Librería Cálamo'),
      square: 'Plaza Mayor',
      cafe: 'Cafetería del',
      group: 'grupo',
      forChildren: 'Infantil',
    },
    {
      cities: list('Murcia | Cartagena | Lorca | Yecla | Cieza | Totana | Alhama de Murcia'),
      kinds: kindsIn('Sala * | Auditorio * | Casa de Cultura * | Iglesia de * | Ermita de * | Polideportivo *'),
      names: list(
        'Víctor Villegas | Pedro Antonio de Alarcón | Santa Clara | Francisco Rabal | Salzillo | San Esteban | Paco Rubio | Verónicas | Emilio Pérez Piñero | el Algar | Puertas de Castilla | Isidoro Máiquez | Infanta Elena | Ramón Gaya | Concha Segura | Guerra García | José Ballesta | la Soledad | el Batel | Antonio Campillo | la Merced | Juan de la Cierva | San Antón | Capri | Narciso Yepes | Apolo',
      ),
      streets: list(
        'Calle de la Trapería | Plaza de las Flores | Avenida de la Libertad | Paseo del Malecón | Calle San Nicolás | Carretera de Alicante | Calle de los Apóstoles',
      ),
      people: list(
        'Asociación Cultural Trinitario Casanova | Peña Huertana la Esparteña | Coro Discantus | Fundación Cajamurcia | Amigos del Museo Salzillo | Grupo de Teatro Edmundo | Orquesta de Jóvenes | Cofradía del Rescate | Club Atletismo Cieza | Filmoteca Regional | Banda de Cabezo | Escuela de Danza',
      ),
      departments: list('Área de Turismo | Área de Educación | Área de Salud | Área de Vivienda'),
      titles: list(
        'Noche de flamenco | Cuentos al atardecer | Feria del pimentón | Recital de guitarra | Paseo por la huerta | Proyección: «El sol» | Curso de acuarela | Tambores en la plaza | Tertulia literaria con la autora | Fiesta del deporte',
      ),
      tags: list(
        'Circo y calle | Conferencias | Enoturismo | Entrada libre | Montaña | Procesiones | Astronomía | Ilustración | Arquitectura | Solidaridad | Familiar | Narrativa',
      ),
      closeTags: list('Ópera | Obra | Circo | Coro | Coros | Juegos | Fuegos | Fiesta | Siesta'),
      rooms: pairs(
        'Cine Sala 3 / Cine Sala 4 | Pista A / Pista B | Pabellón Este / Pabellón Oeste | Plaza Vieja / Plaza Nueva | Instituto 1 / Instituto 2 | Salón Verde del Casino / Salón Azul del Casino',
      ),
      chains: list('Horchatería Ramón | Tienda Abril'),
      square: 'Plaza de la Iglesia',
      cafe: 'Bar de la',
      group: 'turno',
      forChildren: 'Bebés',
    },
  ],
  en: [
    {
      cities: list('Bristol | Bath | Exeter | Taunton | Swindon | Gloucester | Cheltenham'),
      kinds: kindsIn('* Theatre | * Library | * Arts Centre | * Museum | * Pavilion | * Hall'),
      names: list(
        'Old Vic | Saint George’s | Clifton | Redland Green | Victoria | The Watershed | Arnolfini | Bedminster | Henleaze | Trinity | Colston | Tobacco Factory | Southmead | Brewery | Hippodrome | Cabot | Wesley Memorial | Ashton Court | Tyndale | Stokes Croft | Mary Seacole | Brunel | Windmill Hill | Saltford | Portishead | Keynsham',
      ),
      streets: list(
        'Park Street | Queen Square | Whiteladies Road | Gloucester Road | College Green | King Edward Avenue | Harbourside Walk',
      ),
      people: list(
        'Bristol Choral Society | Friends of the Downs | Avon Ramblers Association | Redcliffe Singers | Somerset Morris Men | Brunel Foundation | West Country Quilters | Easton Cycling Club | Totterdown Gardeners | Cube Cinema Collective | Clifton Chamber Players | Knowle Residents’ Association',
      ),
      departments: list('Department of Culture | Department of Youth | Department of Sports | Department of Housing'),
      titles: list(
        'Jazz on the square | Story time: Tom Thumb | Farmers’ market | Christmas concert | Guided walk by the river | Open-air cinema | Pottery workshop | Morris dancing | Book launch: “Water” | Giants’ parade',
      ),
      tags: list(
        'Live music | Exhibitions | Gastronomy | Free of charge | Nature | Folk dances | Science | Photography | Heritage | Volunteering | Accessible | Poetry',
      ),
      closeTags: list('Music | Dance | Theatre | Tasting | Testing | Wine | Wind | Film | Choir'),
      rooms: pairs(
        'Auditorium Room A / Auditorium Room B | Classroom 1 / Classroom 2 | North Library / South Library | Large Hall of the Casino / Small Hall of the Casino | State School 1 / State School 2 | Turner Room / Constable Room',
      ),
      chains: list('Rocambola Ice Cream | Blackwater Books'),
      square: 'Market Square',
      cafe: 'Café of the',
      group: 'group',
      forChildren: 'Children',
    },
    {
      cities: list('Leeds | York | Harrogate | Ripon | Selby | Wetherby | Skipton'),
      kinds: kindsIn('* Playhouse | * Community Centre | * Gallery | * Church | * Park | * Studio'),
      names: list(
        'Carriageworks | Holy Trinity | Kirkgate | Saint Oswald’s | Harewood | Headingley | Roundhay | Yorkshire | Seven Arts | Chapel Allerton | Otley | Brudenell | Howard Assembly | Temple Newsam | Barbican | De Grey | Friargate | Micklegate | Rowntree | Acomb | Grimston | Fulford | Valley Gardens | Knaresborough | Bilton | Starbeck',
      ),
      streets: list(
        'Albion Street | Millennium Square | Otley Road | York Road | Woodhouse Lane | Park Avenue | Parliament Street',
      ),
      people: list(
        'Leeds Philharmonic Chorus | Friends of Roundhay | Dales Walkers Association | Ripon Bell Ringers | Headingley Morris | Rowntree Foundation | Wharfedale Weavers | Selby Rowing Club | Otley Allotment Holders | Hyde Park Film Society | Minster Consort | Acomb Residents’ Association',
      ),
      departments: list('Office of Tourism | Office of Education | Office of Health | Office of Transport'),
      titles: list(
        'Blues night | Tales at dusk | Rhubarb fair | Piano recital | Canal walk | Screening: “The Sun” | Watercolour course | Brass band contest | Literary evening with the author | Festival of sport',
      ),
      tags: list(
        'Street circus | Lectures | Breweries | Admission free | Mountains | Bell ringing | Astronomy | Illustration | Architecture | Solidarity | Families | Fiction',
      ),
      closeTags: list('Opera | Circus | Choirs | Games | Flames | Coast | Toast | Walks | Talks'),
      rooms: pairs(
        'Cinema Screen 3 / Cinema Screen 4 | Court A / Court B | East Pavilion / West Pavilion | Old Square / New Square | High School 1 / High School 2 | Green Room of the Club / Blue Room of the Club',
      ),
      chains: list('Siscents Gelato | April Shop'),
      square: 'Church Square',
      cafe: 'Bar of the',
      group: 'session',
      forChildren: 'Toddlers',
    },
  ],
}
