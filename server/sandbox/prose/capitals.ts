import { plainWord } from './stop-words'

/** Words that are written with capitals wherever they stand, as people rarely type them so. */
const CAPITALISED = new Map(
  [
    'AI API AR AWS CEO CPU CRM CSS DIY DNA EU EV EVs FAQ GDP GDPR GPS GPU HTML HTTP IT iOS iPhone JSON JavaScript LLM LLMs MCP',
    'NASA NATO PC PDF PHP REST RSS SaaS SEO SQL TV TypeScript UI UK UN URL USA UX VPN VR XML GitHub YouTube PostgreSQL',
    'Africa Alps America Asia Atlantic Australia Austria Baltic Belgium Brazil Britain Canada Catalonia Chile China Croatia',
    'Denmark Egypt England Europe Finland France Germany Greece Iceland India Indonesia Ireland Israel Italy Japan Kenya Korea',
    'London Madrid Mexico Morocco Netherlands Norway Pacific Paris Poland Portugal Pyrenees Romania Russia Scandinavia Scotland',
    'Spain Sweden Switzerland Taiwan Thailand Turkey Ukraine Vietnam Wales',
    'Algarve Amsterdam Andalusia Athens Barcelona Berlin Bilbao Bologna Bordeaux Brussels Budapest Chicago Copenhagen Dublin',
    'Edinburgh Florence Geneva Granada Hamburg Helsinki Istanbul Lisbon Lyon Malaga Marseille Milan Munich Naples Oslo Palermo',
    'Porto Prague Rome Seville Stockholm Sydney Tokyo Tuscany Turin Valencia Venice Vienna Warsaw Zaragoza Zurich',
    'Android Bitcoin Docker Ethereum Google Java Kubernetes Linux Microsoft Python React Rust Windows',
    'Dutch English French German Italian Japanese Portuguese Spanish Swedish',
    'April August December February January July June Monday November October September Sunday',
  ]
    .join(' ')
    .split(' ')
    .map((word) => [plainWord(word), word]),
)

const SMALL = new Set('a an and as at but by de del der di for from in la le of on or the to und vs with y'.split(' '))

const upperFirst = (word: string): string => word.replace(/^\p{L}/u, (letter) => letter.toUpperCase())

/** Names as they are written: `bitcoin in the eu` becomes `Bitcoin in the EU`. */
export const withCapitals = (text: string): string =>
  text
    .split(' ')
    .map((word) => (word === word.toLowerCase() ? (CAPITALISED.get(plainWord(word)) ?? word) : word))
    .join(' ')

/** The first letter in upper case. */
export const sentenceCase = upperFirst

/** As English headlines are written: `Toll Roads in the Alps`. */
export const headlineCase = (text: string): string =>
  text
    .split(' ')
    .map((word, at) => (at > 0 && SMALL.has(word) ? word : upperFirst(word)))
    .join(' ')
