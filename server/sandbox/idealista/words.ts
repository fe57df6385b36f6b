import type { RealPlace } from './places'

/** The languages of advertisements. */
type AdLanguage = 'en' | 'es' | 'it' | 'pt' | 'ca' | 'de' | 'fr' | 'nl' | 'nb'

/** The first words of each language, in this order. */
const KINDS = [
  'flat',
  'penthouse',
  'duplex',
  'chalet',
  'studio',
  'bedroom',
  'garage',
  'storageRoom',
  'building',
  'land',
  'office',
  'premises',
]

/** The kinds, then the words of `NAMES`. */
const WORDS: Record<AdLanguage, string> = {
  en: 'Flat|Penthouse|Duplex|House|Studio|Room|Garage|Storage room|Building|Land|Office|Commercial premises|in|for sale|for rent|bedrooms|bathrooms|Lift|Terrace|Swimming pool|Air conditioning|Parking space|Garden|New development|Bright and quiet|Well connected by public transport|To be renovated|In good condition|Basic features',
  es: 'Piso|Ático|Dúplex|Casa|Estudio|Habitación|Garaje|Trastero|Edificio|Terreno|Oficina|Local|en|en venta|en alquiler|dormitorios|baños|Ascensor|Terraza|Piscina|Aire acondicionado|Plaza de garaje|Jardín|Obra nueva|Luminoso y tranquilo|Bien comunicado|A reformar|En buen estado|Características básicas',
  it: 'Appartamento|Attico|Duplex|Villa|Monolocale|Stanza|Garage|Cantina|Edificio|Terreno|Ufficio|Locale|in|in vendita|in affitto|camere|bagni|Ascensore|Terrazza|Piscina|Aria condizionata|Posto auto|Giardino|Nuova costruzione|Luminoso e tranquillo|Ben collegato|Da ristrutturare|In buono stato|Caratteristiche di base',
  pt: 'Apartamento|Cobertura|Duplex|Moradia|Estúdio|Quarto|Garagem|Arrecadação|Prédio|Terreno|Escritório|Loja|em|à venda|para arrendar|quartos|casas de banho|Elevador|Terraço|Piscina|Ar condicionado|Lugar de garagem|Jardim|Construção nova|Luminoso e tranquilo|Bem servido de transportes|Para recuperar|Em bom estado|Características básicas',
  ca: 'Pis|Àtic|Dúplex|Casa|Estudi|Habitació|Garatge|Traster|Edifici|Terreny|Oficina|Local|a|en venda|de lloguer|dormitoris|banys|Ascensor|Terrassa|Piscina|Aire condicionat|Plaça de garatge|Jardí|Obra nova|Lluminós i tranquil|Ben comunicat|A reformar|En bon estat|Característiques bàsiques',
  de: 'Wohnung|Penthouse|Maisonette|Haus|Studio|Zimmer|Garage|Lagerraum|Gebäude|Grundstück|Büro|Ladenlokal|in|zum Verkauf|zur Miete|Schlafzimmer|Bäder|Aufzug|Terrasse|Schwimmbad|Klimaanlage|Stellplatz|Garten|Neubau|Hell und ruhig|Gut angebunden|Renovierungsbedürftig|In gutem Zustand|Grundmerkmale',
  fr: 'Appartement|Dernier étage|Duplex|Maison|Studio|Chambre|Garage|Débarras|Immeuble|Terrain|Bureau|Local commercial|à|à vendre|à louer|chambres|salles de bains|Ascenseur|Terrasse|Piscine|Climatisation|Place de parking|Jardin|Neuf|Lumineux et calme|Bien desservi|À rénover|En bon état|Caractéristiques de base',
  nl: 'Appartement|Penthouse|Maisonnette|Huis|Studio|Kamer|Garage|Berging|Gebouw|Grond|Kantoor|Winkelruimte|in|te koop|te huur|slaapkamers|badkamers|Lift|Terras|Zwembad|Airconditioning|Parkeerplaats|Tuin|Nieuwbouw|Licht en rustig|Goed bereikbaar|Te renoveren|In goede staat|Basiskenmerken',
  nb: 'Leilighet|Toppleilighet|Dupleks|Hus|Studio|Rom|Garasje|Bod|Bygning|Tomt|Kontor|Næringslokale|i|til salgs|til leie|soverom|bad|Heis|Terrasse|Basseng|Klimaanlegg|Parkeringsplass|Hage|Nybygg|Lyst og rolig|God kollektivdekning|Må pusses opp|I god stand|Grunnleggende egenskaper',
}

const NAMES = [
  'in',
  'sale',
  'rent',
  'bedrooms',
  'bathrooms',
  'lift',
  'terrace',
  'pool',
  'air',
  'parking',
  'garden',
  'isNew',
  'bright',
  'connected',
  'renew',
  'good',
  'features',
] as const

export type AdWords = { kind: (kind: string) => string } & Record<(typeof NAMES)[number], string>

/** The words of advertisements in a language, English for any other. */
export function adWords(language: string): AdWords {
  const all = (WORDS[language as AdLanguage] ?? WORDS.en).split('|')
  const rest = Object.fromEntries(NAMES.map((name, i) => [name, all[KINDS.length + i] ?? ''])) as Record<
    (typeof NAMES)[number],
    string
  >
  return { ...rest, kind: (kind) => all[Math.max(0, KINDS.indexOf(kind))] ?? '' }
}

const STREETS: Record<string, readonly string[]> = {
  es: [
    'calle Mayor',
    'calle de la Paz',
    'avenida de la Constitución',
    'calle del Olmo',
    'calle de San Juan',
    'paseo de la Alameda',
    'calle de Cervantes',
    'plaza de la Iglesia',
    'calle del Pintor Sorolla',
    'avenida de Europa',
    'calle de la Fuente',
    'calle de Alfonso X',
    'ronda del Parque',
    'calle del Prado',
  ],
  ca: [
    'carrer Major',
    'carrer de la Pau',
    'avinguda de la Constitució',
    'carrer de Sant Joan',
    'passeig de la Rambla',
    'carrer de Verdaguer',
    'plaça de l’Església',
    'carrer de la Font',
    'carrer de Balmes',
    'carrer del Molí',
  ],
  pt: [
    'rua Direita',
    'rua da Paz',
    'avenida da República',
    'rua de São João',
    'rua do Carmo',
    'largo da Igreja',
    'rua de Camões',
    'avenida 25 de Abril',
    'rua das Flores',
    'travessa do Forno',
    'rua do Sol',
  ],
  it: [
    'via Roma',
    'via Garibaldi',
    'corso Italia',
    'via Dante',
    'via San Giovanni',
    'viale della Libertà',
    'piazza della Chiesa',
    'via Mazzini',
    'via dei Tigli',
    'via Manzoni',
    'vicolo del Forno',
    'via Cavour',
  ],
}
const NEIGHBOURHOODS: Record<string, readonly string[]> = {
  es: ['Centro', 'Estación', 'San José', 'El Parque', 'La Paz', 'Ensanche', 'Universidad', 'San Antonio'],
  pt: ['Centro', 'Estação', 'São José', 'Parque', 'Universidade', 'Santo António'],
  it: ['Centro', 'Stazione', 'San Giuseppe', 'Parco', 'Università', "Sant'Antonio"],
}
/** Provinces whose streets have Catalan names. */
const CATALAN = /^0-EU-ES-(08|17|25|43)$/

const at = (list: readonly string[] | undefined, chance: number) => list?.[Math.floor(chance * list.length)] ?? ''

export const streetIn = ({ country, provinceId }: RealPlace, chance: number): string =>
  at(STREETS[CATALAN.test(provinceId) ? 'ca' : country], chance)
export const neighbourhoodIn = ({ country }: RealPlace, chance: number): string => at(NEIGHBOURHOODS[country], chance)
