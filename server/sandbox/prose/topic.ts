import { isStopWord, plainWord, withCapitals } from './words'

/** What the asker is after; it decides which kinds of text fit. */
export type Intent = 'buy' | 'compare' | 'howto' | 'news' | 'general'

/** What a query, a title or a goal is about. */
export type Topic = ReturnType<typeof topicOf>

const MAX_CONTENT_WORDS = 9
const MAX_HEAD_WORDS = 6

/** `site:x`, `filetype:pdf`, `-word`, `sandbox:x`: what is not part of the subject. */
const OPERATOR = /(?:^|\s)(?:-\S+|(?:site|filetype|lang|before|after|since|until|from|sandbox):\S+|OR|AND)(?=\s|$)/g
const FIELD = /\b(?:intitle|inurl|intext):/g
/** Marks that are neither letters nor part of words such as `C++`, `e-bikes`, `3.14`. */
const MARKS = /[^\p{L}\p{M}\p{N}\s+#&%'’.-]|(?<=\s|^)['’.&-]+|['’.&-]+(?=\s|$)/gu

const INTENTS: readonly [Intent, RegExp][] = [
  ['compare', /\b(vs|versus|compared?|comparison|differences?|or)\b/i],
  ['howto', /\b(how (to|do|can|should)|recipes?|tutorials?|step by step|install|fix)\b/i],
  ['news', /\b(news|latest|today|this week|updates?|announced|recent)\b/i],
  [
    'buy',
    /\b(best|top|cheap|cheapest|buy|prices?|costs?|reviews?|deals?|hotels?|restaurants?|rents?|rental|tickets?|fees?|tolls?|fares?|laptops?|phones?|cars?|flights?|apartments?|houses?|homes?|courses?|mejor(es)?|precios?|hoteles|restaurantes|beste[nrs]?|preise?|kaufen|meilleure?s?|prix|migliori|prezzi|melhores)\b/i,
  ],
]

/** How questions and orders begin. */
const LEAD_IN = [
  /^(?:please|can you|could you|show me|give me|find out|find|look up|search the web for|search for|search|research|on the web|i want to know|i need|write about|report on)\s+/i,
  /^(?:compare|comparison of|(?:the )?differences? between)\s+/i,
  /^(?:what|which|who|where|when|why)(?:['’]s|\s+(?:is|are|was|were|do|does|did|can|should))\s+/i,
  /^how\s+(?:much|many|long|far|old|big)\s+(?:is|are|does|do)\s+/i,
  /^about\s+/i,
]

/** What describes the wish and not its object. */
const WISH = [
  /^(?:the\s+)?(?:best|top|cheapest|cheap|latest|recent|news (?:about|on)|(?:prices?|costs?|reviews?) (?:of|for)|buy)\s+/i,
  /\s+(?:prices?|costs?|reviews?|news|today|deals?|20\d\d|under \S+|tutorial|recipe)$/i,
]

/** What a text is about. One of operators and marks only is about everyday life. */
export function topicOf(asked: string) {
  const plain = asked.replace(OPERATOR, ' ').replace(FIELD, ' ').replace(MARKS, ' ').replace(/\s+/g, ' ').trim()
  const text = shorten(plain || 'everyday life')
  const intent = INTENTS.find(([, words]) => words.test(text))?.[0] ?? 'general'
  const task = /^how (?:to|do i|do you|do we|can i|can you|should i)\s+(.+)$/i.exec(text)?.[1]
  const phrase = stripped(text, LEAD_IN)
  const sides = intent === 'compare' ? sidesOf(phrase) : null
  const subject = stripped(phrase, WISH)
  const isLong = contentWords(phrase).length > MAX_HEAD_WORDS
  const core = isLong ? contentWords(subject).slice(0, MAX_HEAD_WORDS).join(' ') : subject
  return {
    /** The query without operators: enough to derive the topic again. */
    text,
    /** As the beginning of a title: `How to make bread`, `best laptops 2026`. */
    head: withCapitals(task ? `how to ${task}` : isLong ? core : phrase),
    /** A noun phrase for the middle of a sentence: `making bread`, `laptops`. */
    name: withCapitals(sides ? `the choice between ${sides[0]} and ${sides[1]}` : task ? withGerund(task) : core),
    /** Its content words, in order, as they are written. */
    words: contentWords(text).map(withCapitals),
    /** The seed of facts: the same for a subject in any order, case, number and accent of words. */
    key: keyOf(task ?? core),
    intent,
    /** The two things of a comparison. */
    sides,
  }
}

const keyOf = (subject: string): string =>
  [...new Set(contentWords(subject).map((word) => singular(plainWord(word))))].sort().join(' ')

/** The words of a text that say what it is about. */
export function contentWords(text: string): string[] {
  const all = text.split(/\s+/).filter(Boolean)
  const kept = all.filter((word) => !isStopWord(word))
  return kept.length > 0 ? kept : all
}

/** To the last content word that is still wanted. */
function shorten(text: string): string {
  const words = text.split(' ')
  const content = words.flatMap((word, at) => (isStopWord(word) ? [] : [at]))
  const last = content[MAX_CONTENT_WORDS - 1] ?? words.length - 1
  return words.slice(0, last + 1).join(' ')
}

/** The text without what these match, as often as they do; never nothing. */
export function stripped(text: string, patterns: readonly RegExp[]): string {
  const next = patterns.reduce((left, pattern) => left.replace(pattern, ''), text).trim()
  return next === text || next === '' ? text : stripped(next, patterns)
}

const singular = (word: string): string => (/[^s]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word)

/** `bake bread` becomes `baking bread`. */
function withGerund(phrase: string): string {
  const [verb = '', ...rest] = phrase.split(' ')
  if (!/^[a-z]{2,}$/.test(verb) || verb.endsWith('ing')) return phrase
  return [`${gerundStem(verb)}ing`, ...rest].join(' ')
}

function gerundStem(verb: string): string {
  if (/[^eoy]e$/.test(verb)) return verb.slice(0, -1)
  return /^[^aeiou]*[aeiou][bdgmnpt]$/.test(verb) ? `${verb}${verb.at(-1)}` : verb
}

function sidesOf(phrase: string): [string, string] | null {
  const [, first, second] = /^(.{1,40}?)\s+(?:vs\.?|versus|or|and)\s+(.{1,40})$/i.exec(phrase) ?? []
  return first && second ? [withCapitals(first), withCapitals(second.replace(/^the\s+/i, ''))] : null
}
