import { splitName } from '../ids/text-code'
import { type Draw, drawFrom } from '../seed'

/** A community: its name as it writes it, and what its posts are about. */
export type Community = { name: string; subjects: readonly string[] }

/** Communities that people name, with subjects that their names alone do not say. */
const KNOWN = [
  'AskReddit: moving to another country, a first job, small talk at work, learning to cook, neighbours',
  'NoStupidQuestions: tipping abroad, daylight saving time, airport security, tap water, bank holidays',
  'explainlikeimfive: inflation, tides, vaccines, encryption, interest rates, jet lag, noise cancelling headphones',
  'todayilearned: medieval roads, tide mills, lighthouses, the history of coffee, the metric system',
  'LifeProTips: packing for a flight, cleaning an oven, saving on energy, falling asleep faster',
  'BuyItForLife: boots, cast iron pans, backpacks, kitchen knives, wool socks',
  'personalfinance: an emergency fund, index funds, car loans, credit card debt, a first apartment',
  'EuropeFIRE: index funds, pension age, cost of living, early retirement',
  'Frugal: grocery prices, repairing clothes, heating costs, bulk cooking',
  'investing: index funds, dividend stocks, interest rates, gold, bonds',
  'stocks: chip makers, quarterly earnings, dividend stocks, index funds',
  'CryptoCurrency: bitcoin fees, ethereum staking, hardware wallets, stablecoins, exchange outages',
  'Bitcoin: hardware wallets, transaction fees, the halving, lightning payments',
  'ethereum: staking, gas fees, layer 2 networks, smart contracts',
  'worldnews: trade talks, an election, energy prices, a climate summit',
  'news: a rail strike, housing prices, a storm, a court decision',
  'europe: night trains, cost of living, bike lanes, housing prices, border controls',
  'technology: ai regulation, battery prices, satellite internet, right to repair, data centres',
  'science: sleep research, battery chemistry, ocean currents, gut bacteria',
  'space: a moon mission, reusable rockets, a new telescope, space debris',
  'askscience: tides, black holes, vaccines, plate tectonics',
  'AskHistorians: medieval bread, roman roads, the silk road, the printing press',
  'history: roman roads, canals, the spice trade, medieval towns',
  'dataisbeautiful: housing prices, train delays, temperatures by city, election results',
  'Futurology: ai at work, fusion power, electric aircraft, four day week',
  'MachineLearning: small language models, benchmarks, data quality, retrieval, gpu prices',
  'LocalLLaMA: quantised models, used gpus, context length, coding models, inference speed',
  'ChatGPT: prompts for work, hallucinations, study notes, image generation',
  'artificial: ai regulation, agents, open models, copyright',
  'programming: code review, technical debt, monorepos, type systems, remote work',
  'webdev: css grid, server rendering, accessibility, hosting costs, passkeys',
  'javascript: build tools, typescript, iterators, test runners, bundle size',
  'typescript: strict mode, type inference, zod schemas, monorepos',
  'reactjs: server components, state management, forms, testing',
  'Python: type hints, packaging, async code, pandas, web scraping',
  'rust: lifetimes, async code, embedded boards, error handling',
  'golang: error handling, generics, http servers, profiling',
  'learnprogramming: a first project, python or javascript, algorithms, imposter syndrome',
  'cscareerquestions: interview preparation, remote work, salary talks, layoffs',
  'ExperiencedDevs: code review, technical debt, estimates, mentoring',
  'devops: kubernetes costs, on call, ci pipelines, observability',
  'kubernetes: ingress controllers, resource limits, operators, upgrades',
  'selfhosted: photo backups, reverse proxies, home servers, password managers',
  'homelab: used servers, 10 gigabit networking, power consumption, nas builds',
  'linux: desktop environments, wayland, file systems, gaming on linux',
  'sysadmin: patch day, backups, phishing tests, licence audits',
  'netsec: supply chain attacks, passkeys, bug bounties, phishing kits',
  'privacy: browser fingerprinting, encrypted mail, data brokers, location tracking',
  'PostgreSQL: index bloat, partitioning, vacuum settings, logical replication',
  'startups: first customers, pricing, co-founder trouble, fundraising',
  'Entrepreneur: first customers, cold email, pricing, side projects',
  'smallbusiness: late invoices, hiring, local advertising, card fees',
  'marketing: email newsletters, seo, attribution, brand surveys',
  'SEO: internal links, ai overviews, page speed, local search',
  'freelance: late invoices, day rates, contracts, finding clients',
  'digitalnomad: visas, coworking spaces, cost of living, health insurance',
  'expats: visas, learning the language, taxes, making friends',
  'travel: night trains, packing light, travel insurance, jet lag, solo trips',
  'solotravel: hostels, safety, meeting people, packing light',
  'backpacking: tents, water filters, trail food, sleeping bags',
  'Shoestring: cheap flights, hostels, night buses, street food',
  'Flights: delay compensation, seat selection, connections, baggage fees',
  'spain: housing prices, high speed trains, siesta hours, beach towns',
  'Madrid: flats to rent, metro lines, tapas bars, summer heat',
  'Barcelona: flats to rent, tourist tax, beaches, bike lanes',
  'portugal: housing prices, visas, surf towns, trains',
  'lisboa: flats to rent, trams, miradouros, tourist crowds',
  'italy: ferries, regional trains, house renovation, espresso bars',
  'de: bahn delays, heat pumps, rent prices, bread',
  'berlin: flats to rent, winter blues, lakes, night clubs',
  'london: rent prices, cycling, day trips, sunday roast',
  'AskEurope: holidays, school lunches, small talk, housing',
  'fitness: strength programs, protein, progress after forty, home gyms',
  'running: a first marathon, shoes, shin splints, winter running',
  'bicycling: commuting, chain care, winter tyres, saddle height',
  'yoga: morning routines, back pain, mats, breathing',
  'climbing: finger strength, first lead climb, shoes, rest days',
  'hiking: boots, hut to hut tours, rain gear, trail snacks',
  'skiing: boots, avalanche courses, small resorts, season passes',
  'sailing: reefing early, anchoring at night, engine trouble, first passage, tide tables',
  'Fishing: pike lures, sea bass, licences, knots',
  'gardening: tomatoes, compost, raised beds, slugs, balcony gardens',
  'houseplants: overwatering, repotting, grow lights, fungus gnats',
  'vegetablegardening: tomatoes, garlic, crop rotation, frost',
  'woodworking: hand planes, workbenches, dovetails, dust collection',
  'DIY: tiling a bathroom, painting walls, insulation, fixing a tap',
  'HomeImprovement: heat pumps, insulation, windows, contractors',
  'HVAC: heat pumps, duct noise, thermostats, maintenance',
  'solar: payback time, batteries, inverters, balcony panels',
  'electricvehicles: charging on trips, battery health, winter range, home chargers',
  'cars: winter tyres, first car, manual gearboxes, repair costs',
  'motorcycles: first bike, helmets, touring, winter storage',
  'Cooking: knife skills, stock, weeknight dinners, cast iron',
  'recipes: lentil soup, roast chicken, focaccia, apple cake',
  'Baking: croissants, cookies, oven temperature, birthday cakes',
  'Sourdough: rye starters, hydration, oven spring, scoring',
  'Breadit: rye starters, sourdough, baguettes, flour types',
  'bread: rye starters, sourdough, whole wheat, slow proofing',
  'Coffee: grinders, light roasts, water, pour over',
  'espresso: grinders, dialling in, budget machines, milk steaming',
  'tea: green tea, gongfu brewing, storage, water temperature',
  'wine: cellar temperature, natural wine, riesling, food pairing',
  'Homebrewing: yeast, kegging, lagers, cleaning',
  'vegan: protein, cheese alternatives, eating out, meal prep',
  'MealPrepSunday: freezing, lunch boxes, protein, budget meals',
  'loseit: plateaus, counting calories, walking, maintenance',
  'nutrition: protein, fibre, vitamin d, ultra-processed food',
  'Parenting: bedtime, screen time, picky eaters, school start',
  'dogs: puppy training, recall, dog food, separation anxiety',
  'cats: second cat, dry food, scratching posts, vet costs',
  'aww: a rescued kitten, puppies, a duck family, an old dog',
  'books: long novels, rereading, library apps, translations',
  'suggestmeabook: sea stories, short novels, popular science, cosy mysteries',
  'writing: first drafts, dialogue, outlines, critique groups',
  'movies: directors, remakes, sound mixing, festivals',
  'television: finales, limited series, reboots, streaming prices',
  'Music: concert prices, vinyl, first albums, streaming royalties',
  'Guitar: barre chords, first amp, string gauges, practice routine',
  'piano: digital pianos, sight reading, adult beginners, scales',
  'photography: prime lenses, old cameras, editing, street photography',
  'gaming: cosy games, early access, save files, controllers',
  'pcgaming: upscaling, gpu prices, handheld pcs, shader stutter',
  'buildapc: budget builds, power supplies, cooling, used gpus',
  'NintendoSwitch: indie games, joy-con drift, storage, cosy games',
  'chess: opening traps, endgames, rating plateaus, tournament nerves',
  'boardgames: two player games, solo modes, storage, teaching rules',
  'MechanicalKeyboards: switches, keycaps, layouts, quiet builds',
  'headphones: open back, noise cancelling, budget iems, amplifiers',
  'minimalism: wardrobes, digital clutter, gifts, small flats',
  'productivity: time blocking, meetings, note taking, deep work',
  'ObsidianMD: plugins, daily notes, sync, zettelkasten',
  'soccer: transfers, penalties, youth teams, away tickets',
  'formula1: pit stops, tyre rules, junior drivers, rain races',
  'nba: trades, the draft, three pointers, injuries',
  'politics: an election, a budget, a supreme court decision, polling',
  'climate: heat pumps, carbon prices, heat waves, sea level',
  'energy: grid storage, wind auctions, nuclear costs, heat pumps',
  'radio: first contact on 20 metres, antennas, licences, weather satellites',
  'trains: night lines, old locomotives, ticket prices, scenic routes',
] as const

const byName = new Map<string, Community>(
  KNOWN.map((line) => {
    const [name = '', subjects = ''] = line.split(': ')
    return [name.toLowerCase(), { name, subjects: subjects.split(', ') }]
  }),
)
const GENERAL = ['AskReddit', 'NoStupidQuestions', 'LifeProTips', 'BuyItForLife', 'explainlikeimfive', 'todayilearned']

/** Any community: what it is about follows from its name where it is not a known one. */
export function communityNamed(name: string): Community {
  const known = byName.get(name.toLowerCase())
  if (known) return known
  const phrase = splitName(name.toLowerCase())
    .map((part) => part.replaceAll('_', ' '))
    .join(/_/.test(name) ? '' : ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const about = phrase || name
  return { name: name.toLowerCase(), subjects: [about, `${about} for beginners`, `${about} prices`, `old ${about}`] }
}

const searchable = [...byName.values()].map((community) => ({
  community,
  text: ` ${community.name} ${community.subjects.join(' ')}`.toLowerCase(),
}))

/** Words that say little about where a post belongs. */
const GENERAL_WORDS = new Set(
  'best price cost error fast machine time year city first new good setup start starter way'.split(' '),
)
const distinctive = (words: readonly string[]): string[] =>
  words
    .map((word) => word.toLowerCase().replace(/s$/, ''))
    .filter((word) => word.length > 3 && !GENERAL_WORDS.has(word))

/** The known communities that have the most of the words. */
export function communitiesAbout(words: readonly string[]): Community[] {
  const stems = distinctive(words).map((word) => ` ${word}`)
  const rated = searchable.map(({ community, text }) => ({
    community,
    hits: stems.filter((stem) => text.includes(stem)).length,
  }))
  const max = Math.max(...rated.map(({ hits }) => hits))
  return max === 0 ? [] : rated.filter(({ hits }) => hits === max).map(({ community }) => community)
}

/** Where a post about these words is likely to be; `fitting` are those of `communitiesAbout`. */
export function communityFor(words: readonly string[], fitting: readonly Community[], draw: Draw): Community {
  const own = distinctive(words).filter((word) => /^[a-z]{4,20}$/.test(word))
  const chance = draw.chance('which community')
  if (fitting.length > 0 && chance < 0.8) return draw.pick('fitting', fitting)
  if (own.length > 0 && chance < 0.3) return communityNamed(draw.pick('own', own))
  return communityNamed(draw.pick('general', GENERAL))
}

/** A subject that somebody posts about who has none in mind. */
export const anySubject = (seed: string): string => {
  const draw = drawFrom(`subject ${seed}`)
  return draw.pick('subject', draw.pick('community', [...byName.values()]).subjects)
}
