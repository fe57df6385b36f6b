import { times } from '../kit/seed'
import { fillTemplate } from '../kit/template'
import { sentenceCase } from '../kit/text'
import tollgate from './about-tollgate.json'
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

const ORDER =
  /^(?:please )?(?:say|repeat(?: after me)?|echo|(?:reply|respond|answer)(?: (?:with|only|just))+)\b(.{0,40}?:)?\s*(.{1,500})$/is

/** A text that the person wants to have back as it is. */
function repeated(asked: string): string | null {
  const [, before = '', rest = ''] = ORDER.exec(asked) ?? []
  const form = /^(?:(?:only|just|exactly|with|the|one|single|word|words|following|text)\s+)+/i
  const text = unquoted(before === '' ? rest.replace(form, '') : rest)
  if (text === '' || /^(?:something|anything|that|it|in|as)\b/i.test(text)) return null
  return before === '' && !/["“'`]/.test(rest) ? sentenceCase(text) : text
}

/** Counts from one number to another, at most a hundred. */
function counted(asked: string): string | null {
  const [, first = '1', last = ''] = asked.match(/\bcount (?:from (-?\d{1,6}) )?(?:up |down )?to (-?\d{1,6})\b/i) ?? []
  if (last === '') return null
  const [from, to] = [Number(first), Number(last)]
  return times(Math.min(100, Math.abs(to - from) + 1), (n) => from + Math.sign(to - from) * n).join(', ')
}

/** What needs no knowledge: greetings, texts to repeat, what the script is. */
export function answerSmallTalk(talk: Talk): string | null {
  const exact = repeated(talk.asked) ?? counted(talk.asked)
  if (exact !== null) return exact
  const known = SMALL_TALK.find(({ words }) => words.test(talk.asked))
  const values = { greeting: greeting(talk), model: talk.model, asked: talk.asked.slice(0, 200).toWellFormed() }
  return known ? fillTemplate<string>(known.answer, values) : null
}

/** What the chat script knows: an answer, and the words of a question that it fits. */
const KNOWLEDGE = tollgate.map(({ words, answer }) => ({ answer, words: new RegExp(`\\b(?:${words})\\b`, 'gi') }))

/** Questions about the world use some of these words too: one of these must be there as well. */
const ABOUT_US =
  /\b(?:tollgate|here|this (?:service|gateway|page|product|sandbox)|sandbox|credits?|api|keys?|mcp|idempoten\w+|webhooks?|agents? (?:run|mode)|you (?:charge|offer|have))\b/i

/** What the script knows about the question, if it is about this product. */
export function answerAboutTollgate(asked: string): string | null {
  if (asked.length > 500 || !ABOUT_US.test(asked)) return null
  const scored = KNOWLEDGE.map(({ words, answer }, index) => ({
    answer,
    // The first entry is the most general: the others come before it.
    score: (asked.match(words)?.length ?? 0) - (index === 0 ? 0.5 : 0),
  }))
  const best = scored.reduce((top, one) => (one.score > top.score ? one : top), { answer: '', score: 0 })
  return best.answer || null
}
