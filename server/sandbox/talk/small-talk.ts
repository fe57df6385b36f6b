import { readKnown } from './memory'
import type { Talk } from './talk'

type Answer = (talk: Talk) => string

const SELF = 'I am a script that answers in place of a language model while Tollgate runs as a sandbox'

const greeting: Answer = ({ said, asked }) => {
  const { name } = readKnown([...said, asked])
  const again = said.length > 0 ? ' again' : ''
  return `Hello${again}${name ? `, ${name}` : ''}. ${SELF}. I remember this conversation, do sums, call the tools I am offered, and know a little about Tollgate. What would you like to try?`
}

const cannotWrite: Answer = ({ asked }) =>
  `As a script I cannot write that. With a real model in place of the sandbox, this request would be answered as it is: “${asked.slice(0, 200).toWellFormed()}”`

/** What people say first, and what is said to it. The first pattern that fits counts. */
const SMALL_TALK: readonly [RegExp, Answer][] = [
  [
    /^(?:hi|hello|hey|hola|hallo|bonjour|ciao|olá|good (?:morning|afternoon|evening|day)|servus|moin)\b[^?]{0,40}$/i,
    greeting,
  ],
  [
    /\b(?:who|what) are you\b|\bare you (?:an? )?(?:ai|human|real|bot|robot|model|llm|person)\b|\bwhat(?:['’]s| is) your name\b|\b(?:which|what) (?:model|llm) (?:are you|is this)\b|\bintroduce yourself\b/i,
    ({ model }) =>
      `${SELF}, here under the name ${model}. What I say is made from your words, and the same question always gets the same answer.`,
  ],
  [
    /\bwhat can you do\b|\bhow can you help\b|^help\b/i,
    () =>
      'I remember what you say in this conversation, do sums such as 12 × (3 + 4), repeat a text, count, call tools that the request offers, fill JSON schemas, and answer questions about Tollgate. A real model can do the rest.',
  ],
  [/^(?:thanks|thank you|thx|cheers|danke|gracias|merci)\b/i, () => 'You are welcome.'],
  [
    /^(?:bye|goodbye|good night|see you|ciao)\b/i,
    () => 'Goodbye. This conversation is gone for me when it is no longer sent.',
  ],
  [/\bhow are you\b|\bhow['’]s it going\b/i, () => 'A script is always the same, so: well. And you?'],
  [
    /\bwhat(?:['’]s| is)? (?:the )?(?:time|day|date)\b|\bwhat day is (?:it|today)\b|\btoday['’]s date\b/i,
    () => 'I have no clock: the same question always gets the same answer from me, so I cannot know what day it is.',
  ],
  [
    /\bjoke\b/i,
    () => 'Why did the agent stop at the tollgate? It had reached its spend limit, and asked for the receipt.',
  ],
  [
    /\b(?:write|compose|draft|make|create|give me|generate)\b.{0,40}\b(?:poem|haiku|story|essay|e-?mail|letter|song|speech|code|function|script|program|class|test|regex|query|recipe|plan|list of|names?|ideas?)\b/i,
    cannotWrite,
  ],
  [/\b(?:translate|rewrite|rephrase|proofread|paraphrase)\b/i, cannotWrite],
  [/^(?:yes|yeah|yep|ok|okay|sure|no|nope|right|good|great|nice|cool)\b[.! ]*$/i, () => 'Good. What next?'],
  [
    /^(?:test|testing|ping)\b[.! ]*$/i,
    ({ asked }) => (/^ping/i.test(asked) ? 'pong' : 'It works: this answer came through the gateway.'),
  ],
]

const unquoted = (text: string): string =>
  text
    .trim()
    .replace(/^["“'‘`]+|["”'’`]+[.!]?$/g, '')
    .trim()

/** A text that the person wants to have back as it is. */
function repeated(asked: string): string | null {
  const order = asked.match(
    /^(?:please )?(?:say|repeat(?: after me)?|echo|(?:reply|respond|answer)(?: (?:with|only|just))+)\b(.{0,40}?:)?\s*(.{1,500})$/is,
  )
  if (!order) return null
  const [, before = '', rest = ''] = order
  const text = unquoted(
    before === ''
      ? rest.replace(/^(?:(?:only|just|exactly|with|the|one|single|word|words|following|text)\s+)+/i, '')
      : rest,
  )
  if (text === '' || /^(?:something|anything|that|it|in|as)\b/i.test(text)) return null
  return text.charAt(0).toUpperCase() === text.charAt(0)
    ? text
    : before === '' && !/["“'`]/.test(rest)
      ? text.charAt(0).toUpperCase() + text.slice(1)
      : text
}

/** Counts from one number to another, at most a hundred. */
function counted(asked: string): string | null {
  const [, first = '1', last = ''] = asked.match(/\bcount (?:from (-?\d{1,6}) )?(?:up |down )?to (-?\d{1,6})\b/i) ?? []
  if (last === '') return null
  const [from, to] = [Number(first), Number(last)]
  const length = Math.min(100, Math.abs(to - from) + 1)
  return Array.from({ length }, (_, i) => from + Math.sign(to - from) * i).join(', ')
}

/** What needs no knowledge: greetings, texts to repeat, what the script is. */
export function answerSmallTalk(talk: Talk): string | null {
  const exact = repeated(talk.asked) ?? counted(talk.asked)
  if (exact !== null) return exact
  return SMALL_TALK.find(([pattern]) => pattern.test(talk.asked))?.[1](talk) ?? null
}
