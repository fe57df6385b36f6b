import { MOTIFS } from './motif-list'
import type { DayTime } from './palette'

/** Where a scene is, by the words that ask for it; the first that fits is taken. */
const SCENES: readonly { name: string; words: readonly string[] }[] = [
  {
    name: 'space',
    words: ['space', 'galaxy', 'planet', 'planets', 'cosmos', 'universe', 'nebula', 'orbit', 'astronaut'],
  },
  {
    name: 'city',
    words: [
      'city',
      'skyline',
      'town',
      'street',
      'urban',
      'skyscraper',
      'skyscrapers',
      'metropolis',
      'downtown',
      'cyberpunk',
      'building',
      'buildings',
      'ciudad',
    ],
  },
  { name: 'forest', words: ['forest', 'woods', 'jungle', 'pines', 'firs', 'bosque', 'woodland', 'grove'] },
  { name: 'desert', words: ['desert', 'dune', 'dunes', 'sand', 'sahara', 'cactus', 'oasis'] },
  {
    name: 'sea',
    words: [
      'sea',
      'ocean',
      'beach',
      'coast',
      'harbour',
      'harbor',
      'waves',
      'wave',
      'island',
      'lighthouse',
      'boat',
      'boats',
      'ship',
      'ships',
      'sail',
      'sailboat',
      'lake',
      'river',
      'bay',
      'port',
      'mar',
      'tide',
      'cliff',
      'cliffs',
    ],
  },
  {
    name: 'mountains',
    words: [
      'mountain',
      'mountains',
      'alps',
      'peak',
      'peaks',
      'summit',
      'hiking',
      'glacier',
      'volcano',
      'montaña',
      'himalaya',
      'fjord',
    ],
  },
  { name: 'snow', words: ['snow', 'winter', 'ski', 'ice', 'christmas', 'arctic', 'snowy'] },
  {
    name: 'hills',
    words: [
      'hill',
      'hills',
      'meadow',
      'field',
      'fields',
      'valley',
      'countryside',
      'landscape',
      'garden',
      'farm',
      'village',
      'vineyard',
      'sunrise',
      'sunset',
      'dawn',
      'dusk',
      'spring',
      'road',
      'park',
      'night',
    ],
  },
]

const TIMES: readonly { time: DayTime; words: readonly string[] }[] = [
  {
    time: 'night',
    words: [
      'night',
      'midnight',
      'moon',
      'moonlight',
      'stars',
      'starry',
      'neon',
      'dark',
      'noche',
      'space',
      'galaxy',
      'cosmos',
      'nebula',
      'cyberpunk',
    ],
  },
  { time: 'dusk', words: ['dusk', 'sunset', 'evening', 'twilight', 'atardecer', 'autumn'] },
  { time: 'dawn', words: ['dawn', 'sunrise', 'morning', 'amanecer', 'pastel'] },
]

const LOGOS = ['logo', 'icon', 'emblem', 'badge', 'favicon', 'symbol']

const wordsIn = (prompt: string): Set<string> => new Set(prompt.toLowerCase().match(/\p{L}+/gu) ?? [])
const fits = (words: ReadonlySet<string>) => (entry: { words: readonly string[] }) =>
  entry.words.some((word) => words.has(word))

/** What a prompt's words ask for, as far as this script can draw it. */
export function planImage(prompt: string) {
  const words = wordsIn(prompt)
  const motifs = MOTIFS.filter(fits(words)).slice(0, 3)
  const found = SCENES.find(fits(words))?.name
  const scene = found ?? (motifs.some(({ onWater }) => onWater) ? 'sea' : motifs.length > 0 ? 'hills' : 'abstract')
  const time = TIMES.find(fits(words))?.time ?? 'day'
  const isLogo = LOGOS.some((word) => words.has(word))
  return { words, motifs, scene, time, isLogo }
}
