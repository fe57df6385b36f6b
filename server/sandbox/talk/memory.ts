import { excerpt } from '../kit/text'
import type { Talk } from './talk'

const quoted = (text: string): string => `“${excerpt(text, 300)}”`

const clauses = (text: string): string[] =>
  text.split(/[.!?;\n]+|,? and (?=my |i am |i['’]m |call me )/i).map((part) => part.trim())

/** The name that a clause gives to the person. */
function nameIn(clause: string): string | undefined {
  const named = clause.match(
    /^(?:(?:hi|hello|hey),? )?(?:my name is|my name['’]s|call me) (\p{L}[\p{L}'’-]{0,40}(?: \p{Lu}[\p{L}'’-]{0,40})?)/iu,
  )
  return (named ??
    clause.match(/^(?:(?:Hi|Hello|Hey),? )?I(?: am|['’]m) (\p{Lu}[\p{L}'’-]{1,40}(?: \p{Lu}[\p{L}'’-]{1,40})?)$/u))?.[1]
}

/** What a clause says of something that is the person's own. */
function factIn(clause: string): [what: string, value: string] | undefined {
  const lower = ` ${clause.toLowerCase()}`
  const from = lower.indexOf(' my ')
  const verb = from < 0 ? -1 : lower.slice(from).search(/ (?:is|are|was|were) /)
  if (from < 0 || verb < 4 || verb > 60 || /^(?:what|who|where|when|which|how|do|is|are)\b/i.test(clause))
    return undefined
  const what = lower.slice(from + 4, from + verb).trim()
  const value = clause
    .slice(from + verb)
    .replace(/^(?:is|are|was|were)\s+/i, '')
    .trim()
    .slice(0, 200)
  return what === '' || value === '' ? undefined : [what, value]
}

const toRemember = (clause: string): string | undefined =>
  clause.match(/^(?:please )?(?:remember|note|keep in mind)(?: that)?:? (.{2,300})$/i)?.[1]

type Known = { name?: string; facts: Map<string, string>; notes: string[] }

/** What the person has said about themselves, the latest word of each. */
export function readKnown(texts: readonly string[]): Known {
  const known: Known = { facts: new Map(), notes: [] }
  for (const clause of texts.flatMap(clauses)) {
    const note = toRemember(clause)
    known.name = nameIn(clause) ?? known.name
    const fact = factIn(note ?? clause)
    if (fact && fact[0] !== 'name') known.facts.set(...fact)
    if (note && !fact) known.notes.push(note)
  }
  return known
}

function answerNews(asked: string): string | null {
  const { name, facts, notes } = readKnown([asked])
  const [fact] = facts
  if (name) return `Nice to meet you, ${name}. I know your name for as long as this conversation is sent to me.`
  if (fact) return `Noted: your ${fact[0]} is ${fact[1]}. Ask me about it later.`
  return notes[0] ? `I will remember: ${quoted(notes[0])}.` : null
}

const about = ({ name, facts, notes }: Known): string[] => [
  ...(name ? [`Your name is ${name}.`] : []),
  ...[...facts].map(([what, value]) => `Your ${what} is ${value}.`),
  ...notes.map((note) => `You asked me to remember: ${quoted(note)}.`),
]

function recallFact(asked: string, { facts }: Known): string | null {
  const what = asked.match(/\b(?:what|who|where|when|which)(?:['’]s| is| are| was| were) my ([^?.!]{1,60})/i)?.[1]
  if (what === undefined) return null
  const key = what.trim().toLowerCase()
  const value = facts.get(key)
  return value ? `Your ${key} is ${value}, as you said.` : `You have not said what your ${key} is.`
}

const SUM_UP =
  /\b(?:summari[sz]e|sum up|recap)\b.{0,30}\b(?:conversation|chat|talk|we (?:said|discussed))|what have we (?:talked|discussed)/i

/** What was said, and what was answered. */
function recallTalk(asked: string, { said, answered }: Talk): string | null {
  if (/\b(?:what|which)\b.{0,40}\b(?:did|have) i\b.{0,20}\b(?:say|said|ask|asked|write|tell|told)/i.test(asked)) {
    const isFirst = /\b(?:first|beginning|start)/i.test(asked)
    const text = isFirst ? said[0] : said.at(-1)
    return text
      ? `${isFirst ? 'At first' : 'Before this'} you said: ${quoted(text)}`
      : 'This is the first thing you say to me.'
  }
  if (/^(?:what did you (?:just )?say|(?:please )?repeat that|say (?:that|it) again|pardon)\b/i.test(asked))
    return answered.at(-1) ?? 'I have said nothing yet.'
  if (SUM_UP.test(asked))
    return said.length === 0
      ? 'There is nothing to sum up yet.'
      : `You have said ${said.length === 1 ? 'one thing' : `${said.length} things`} so far:\n\n${said.map((text) => `- ${quoted(text)}`).join('\n')}`
  return null
}

/** What the conversation itself answers; null where the question is about something else. */
export function answerFromMemory(talk: Talk): string | null {
  const { asked, said } = talk
  const known = readKnown([...said, asked])
  if (/\b(?:what(?:['’]s| is) my name|who am i|do you (?:know|remember) (?:my name|who i am))/i.test(asked))
    return known.name ? `Your name is ${known.name}.` : 'You have not said your name yet.'
  if (/\bwhat do you (?:know|remember)(?: about me)?\b|\bwhat did i ask you to remember\b/i.test(asked))
    return about(known).join(' ') || 'Nothing yet: you have said nothing about yourself.'
  return recallFact(asked, known) ?? recallTalk(asked, talk) ?? answerNews(asked)
}
