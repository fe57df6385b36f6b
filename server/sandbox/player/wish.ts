import { contentWordsOf, subjectOf } from './subject'
import { type PlayerView, saidByPerson } from './view'
import tables from './words.json'

/** What a goal may ask for, each played by a part of its own. */
export type WishTopic = keyof typeof tables.topics | 'homes'

/** What the person wants, read from the goal, from answers and from what was said about plans. */
export type Wish = ReturnType<typeof readWish>

const RUN = /\b(?:run|execute)\b[^`\n]{0,40}`[^`\n]/i
const pattern = (source: string) => new RegExp(source, 'i')
const TOPICS = Object.entries(tables.topics) as [WishTopic, string[]][]
const PATTERNS = TOPICS.map(([topic, sources]) => ({ topic, patterns: sources.map(pattern) }))
const HOMES = { words: pattern(tables.homes.words), signs: pattern(tables.homes.signs), not: /\bhome ?page\b/i }

/** Topics that bring something to report; the others make something of it. */
const FINDING: readonly WishTopic[] = ['homes', 'coins', 'links', 'social', 'scrape', 'research', 'data', 'shell']

function topicsIn(text: string, subject: string): Set<WishTopic> {
  if (RUN.test(text)) return new Set(['shell'])
  const isHomes = HOMES.words.test(text) && HOMES.signs.test(text) && !HOMES.not.test(text)
  const others = PATTERNS.filter(({ patterns }) => patterns.some((words) => words.test(text)))
  const topics = new Set<WishTopic>([...(isHomes ? ['homes' as const] : []), ...others.map(({ topic }) => topic)])
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
export function readWish(view: PlayerView) {
  const goal = wholeGoal(view.goals).slice(0, MAX_CHARS)
  const { answers, feedback } = saidByPerson(view)
  const clauses = feedback.flatMap((text) => text.split(/[,.;\n]| but | and /))
  const refused = clauses.filter((clause) => NEGATIVE.test(clause)).join('. ')
  const added = clauses.filter((clause) => !NEGATIVE.test(clause) && !CHEAPER.test(clause))
  const text = [goal, ...answers.map((answer) => `In ${answer}`), ...added].join('\n').slice(0, MAX_CHARS)
  const subject = subjectOf(goal) || subjectOf(answers.join('. ').slice(0, MAX_CHARS))
  return {
    text,
    // As a search takes it; empty: nobody said.
    subject,
    topics: isGreetingText(goal) ? new Set<WishTopic>() : topicsIn(text, subject),
    // Words of what was said about plans.
    refused,
    isCheap: feedback.some((each) => CHEAPER.test(each)),
    urls: [...new Set(text.match(/https?:\/\/[^\s"'<>()]+/g) ?? [])]
      .map((url) => url.replace(/[.,;:!?]$/, ''))
      .slice(0, 3),
    isGreeting: isGreetingText(goal),
  }
}

/** Whether a goal asks for something whose rows can be kept, besides homes. */
export const findsRows = ({ topics }: Wish): boolean =>
  (['coins', 'social', 'research', 'scrape'] as const).some((topic) => topics.has(topic))

/** Whether the person has refused something, by its words. */
export const isRefused = ({ refused }: Wish, words: RegExp): boolean => words.test(refused)
