import { fillTemplate } from '../kit/template'
import { readKnown } from './memory'
import tables from './small-talk.json'
import type { Talk } from './talk'

/** What people say first, and what is said to it. The first pattern that fits counts. */
const SMALL_TALK = tables.map(({ words, answer }) => ({ answer, words: new RegExp(words, 'i') }))

function greeting({ said, asked }: Talk): string {
  const { name } = readKnown([...said, asked])
  return `Hello${said.length > 0 ? ' again' : ''}${name ? `, ${name}` : ''}. I am a script that answers in place of a language model while Tollgate runs as a sandbox. I remember this conversation, do sums, call the tools I am offered, and know a little about Tollgate. What would you like to try?`
}

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
  const known = SMALL_TALK.find(({ words }) => words.test(talk.asked))
  const values = { greeting: greeting(talk), model: talk.model, asked: talk.asked.slice(0, 200).toWellFormed() }
  return known ? fillTemplate<string>(known.answer, values) : null
}
