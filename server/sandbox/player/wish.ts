import { contentWordsOf, subjectOf } from './subject'
import { type PlayerView, saidByPerson } from './view'

/** What a goal may ask for, each played by a part of its own. */
export type WishTopic =
  | 'homes'
  | 'coins'
  | 'links'
  | 'social'
  | 'scrape'
  | 'research'
  | 'data'
  | 'image'
  | 'video'
  | 'site'
  | 'shell'

/** What the person wants, read from the goal, from answers and from what was said about plans. */
export type Wish = {
  text: string
  /** What it is about, as a search takes it; empty: nobody said. */
  subject: string
  topics: ReadonlySet<WishTopic>
  /** What the person does not want: words of what was said about plans. */
  refused: string
  isCheap: boolean
  urls: string[]
  isGreeting: boolean
}

const HOME_WORDS =
  /\b(apartments?|flats?|houses?|homes?|villas?|studios?|rentals?|real estate|propert(?:y|ies)|pisos?|listings?|bedrooms?|offices?|garages?|land plots?)\b/i
const HOME_SIGNS =
  /\b(for sale|on sale|to rent|for rent|rent|renting|rental|buy|buying|purchase|cheap(?:est)?|bedrooms?|listings?|real estate|prices?|per month|square met(?:er|re)s?|m2)\b|m²|€/i
const MAKE = '(?:draw|paint|sketch|generate|make|create|design|render|illustrate|produce)'
/** A command to run, word for word. */
const RUN = /\b(?:run|execute)\b[^`\n]{0,40}`[^`\n]/i
const TOPICS: readonly [topic: WishTopic, fits: (text: string) => boolean][] = [
  ['homes', (text) => HOME_WORDS.test(text) && HOME_SIGNS.test(text) && !/\bhome ?page\b/i.test(text)],
  [
    'coins',
    (text) =>
      /\b(crypto\w*|bitcoin|btc|ethereum|solana|dogecoin|litecoin|cardano|altcoins?|stablecoins?|coins?|tokens? prices?)\b/i.test(
        text,
      ),
  ],
  ['links', (text) => /https?:\/\/\S/.test(text)],
  [
    'video',
    (text) =>
      new RegExp(`\\b(?:${MAKE}|animate|film)\\b[^.\\n]{0,40}\\b(?:video|clip|animation|film)\\b`, 'i').test(text),
  ],
  [
    'image',
    (text) =>
      /\b(draw|paint|sketch|illustrate)\b/i.test(text) ||
      new RegExp(
        `\\b${MAKE}\\b[^.\\n]{0,60}\\b(?:images?|pictures?|photos?|illustrations?|logos?|posters?|drawings?|paintings?|icons?|banners?|covers?|wallpapers?)\\b`,
        'i',
      ).test(text),
  ],
  [
    'site',
    (text) =>
      /\b(publish|deploy)\b/i.test(text) ||
      /\b(make|build|create|design|update|replace|write|set up|change)\b[^.\n]{0,60}\b(sites?|websites?|web sites?|landing pages?|homepages?|home pages?|web pages?)\b/i.test(
        text,
      ),
  ],
  ['scrape', (text) => /\b(scrap(?:e|er|ers|ing)|actors?|marketplace|apify)\b/i.test(text)],
  [
    'social',
    (text) =>
      /\b(reddit|forums?|subreddits?|r\/\w+|tweets?|twitter|hashtags?|microblogs?|youtube|videos?|transcripts?|sentiment)\b/i.test(
        text,
      ) || /\bpeople (say|think|write|complain|recommend)\b/i.test(text),
  ],
  ['data', (text) => /\b(datasets?|database|sql|csv|spreadsheet)\b/i.test(text)],
  ['shell', (text) => RUN.test(text) || /\b(shell|bash|terminal|command|script|pod|files?)\b/i.test(text)],
  [
    'research',
    (text) =>
      /\b(research|find out|look up|look into|search|news|sources?|who is|who are|what is|what are|how do|how does|how are|why|latest|summari[sz]e|compare|explain|history|learn|investigate|report on|overview)\b/i.test(
        text,
      ),
  ],
]

/** Topics that bring something to report; the others make something of it. */
const FINDING: readonly WishTopic[] = ['homes', 'coins', 'links', 'social', 'scrape', 'research', 'data', 'shell']

function topicsIn(text: string, subject: string): Set<WishTopic> {
  if (RUN.test(text)) return new Set(['shell'])
  const topics = new Set(TOPICS.filter(([, fits]) => fits(text)).map(([topic]) => topic))
  // A video that is to be made is no video to look for.
  if (topics.has('video') && !/\byoutube|transcripts?\b/i.test(text)) topics.delete('social')
  // These name a source of their own: the web is searched only where that is said.
  const hasSource = (['homes', 'coins', 'links', 'scrape'] as const).some((topic) => topics.has(topic))
  if (hasSource && !/\b(research|news|web search|search the web|background)\b/i.test(text)) topics.delete('research')
  if (hasSource || topics.has('research') || topics.has('social')) topics.delete('shell')
  const findsNothing = FINDING.every((topic) => !topics.has(topic))
  const makesOnly = topics.has('image') || topics.has('video')
  if (findsNothing && !makesOnly && contentWordsOf(subject).length > 0) topics.add('research')
  return topics
}

const NEGATIVE = /\b(without|no|not|skip|drop|leave out|don't|do not|remove|never|except|instead of)\b/i
const CHEAPER =
  /\b(cheap(?:er)?|less expensive|too expensive|too much|fewer credits|less credits|save credits|costs? less|lower)\b/i
/** A goal that continues the one before. */
const GOES_ON =
  /^(and|now|also|but|then|same|again|instead|what about|how about|make it|make them|change|replace|update|continue|go on|more|another|cheaper|only|chart|draw it|add|publish (it|this|that|the result)|save (it|this|that|them))\b/i

/** The goal in progress, with the one before where it continues that. */
function wholeGoal(goals: readonly string[]): string {
  const goal = goals.at(-1) ?? ''
  const before = goals.at(-2)
  const continues = GOES_ON.test(goal.trim()) || contentWordsOf(subjectOf(goal)).length === 0
  return before !== undefined && continues && !isGreetingText(goal) ? `${before.trim()}\n${goal.trim()}` : goal.trim()
}

const isGreetingText = (text: string) =>
  /^\W*((say|hi|hello|hey|thanks|thank you|good (morning|evening|day))\b\W*)+(hello|hi|there|you|again|please)?\W*$/i.test(
    text.slice(0, 60),
  )

/** What is read of a goal: patterns take their time over a long text. */
const MAX_CHARS = 4_000

/** Reads what the person wants. */
export function readWish(view: PlayerView): Wish {
  const goal = wholeGoal(view.goals).slice(0, MAX_CHARS)
  const { answers, feedback } = saidByPerson(view)
  const clauses = feedback.flatMap((text) => text.split(/[,.;\n]| but | and /))
  const refused = clauses.filter((clause) => NEGATIVE.test(clause)).join('. ')
  const added = clauses.filter((clause) => !NEGATIVE.test(clause) && !CHEAPER.test(clause))
  const text = [goal, ...answers.map((answer) => `In ${answer}`), ...added].join('\n').slice(0, MAX_CHARS)
  const subject = subjectOf(goal) || subjectOf(answers.join('. ').slice(0, MAX_CHARS))
  return {
    text,
    subject,
    topics: isGreetingText(goal) ? new Set() : topicsIn(text, subject),
    refused,
    isCheap: feedback.some((each) => CHEAPER.test(each)),
    urls: [...new Set(text.match(/https?:\/\/[^\s"'<>()]+/g) ?? [])]
      .map((url) => url.replace(/[.,;:!?]$/, ''))
      .slice(0, 3),
    isGreeting: isGreetingText(goal),
  }
}

/** Whether the person has refused something, by its words. */
export const isRefused = ({ refused }: Wish, words: RegExp): boolean => words.test(refused)
