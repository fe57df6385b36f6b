import { recordsIn, type UnknownRecord } from '../../kit/record'
import { isStopWord, plainWord } from '../prose/words'
import { messageText, type ScriptStep } from '../script/script'

/** Sentences that a summary keeps: those with a number, an address or a code. */
const WORTH_KEEPING = /\d|https?:|\b[A-Z]{2,}-/

const MAX_SENTENCE = 500

/** True for requests that ask for a summary of a record instead of a step. */
export const isSummaryRequest = (body: UnknownRecord): boolean =>
  !Array.isArray(body.tools) &&
  recordsIn(body.messages).some(({ role, content }) => role === 'system' && /summar/i.test(String(content)))

/** A summary of what the request shows: its facts in their order, as many as fit. */
export function summarizeRecord(body: UnknownRecord, maxChars: number): string {
  const text = recordsIn(body.messages)
    .filter(({ role }) => role !== 'system')
    .map(({ content }) => String(content))
    .join('\n')
  const parts = text
    .split(/(?<=[.!?])\s+|\\n|\n/)
    .map((part) => part.trim())
    .filter((part) => WORTH_KEEPING.test(part))
    .map((part) => part.slice(0, MAX_SENTENCE))
  const kept: string[] = []
  let size = 0
  for (const part of new Set(parts)) {
    size += part.length + 1
    if (size > maxChars) break
    kept.push(part)
  }
  return kept.join('\n')
}

/** Words of a question that are about a result as such. */
const ABOUT_RESULTS = new Set('result answer text report mention contain contains say says name'.split(' '))

/** What a request for a verdict asks, and about which result. */
function partsOf(text: string): { question: string; result: string } {
  const [head = '', ...rest] = text.split('\n\nResult:\n')
  const [question = ''] = head.replace('Question: ', '').split('\n\nGoal: ')
  return { question, result: rest.join('\n\nResult:\n') }
}

/** A verdict: yes where the result has half of the question's words. Null: nobody asks for one. */
function judgeStep(body: UnknownRecord): ScriptStep | null {
  const [system, user] = recordsIn(body.messages)
  if (!system || !user || !messageText(system).startsWith('You check the result of an agent.')) return null
  const { question, result } = partsOf(messageText(user))
  const said = plainWord(result)
  const words = [...new Set(question.match(/[\p{L}\p{N}]{3,}/gu) ?? [])].filter(
    (word) => !isStopWord(word) && !ABOUT_RESULTS.has(plainWord(word)),
  )
  const missing = words.filter((word) => !said.includes(plainWord(word)))
  const quotes = (some: readonly string[]) => some.map((word) => `“${word}”`)
  const quoted = (some: readonly string[]) => quotes(some.slice(0, 4)).join(', ')
  if (missing.length * 2 > words.length) return { text: `No. The result says nothing about ${quoted(missing)}.` }
  return { text: `Yes. The result has ${quoted(words.filter((word) => !missing.includes(word))) || 'an answer'}.` }
}

/** What the service asks of an agent's model when it asks for a summary. */
const SUMMARY_LEAD = /^(Summarize the record of an agent|A run ended because)/
const SUMMARY_CHARS = 2_400

/** The answer to what the service asks besides steps: a summary, or a verdict. Null: neither. */
export function otherStep(body: UnknownRecord): ScriptStep | null {
  const isLead = (message: UnknownRecord) => message.role === 'system' && SUMMARY_LEAD.test(messageText(message))
  const isSummary = isSummaryRequest(body) && recordsIn(body.messages).some(isLead)
  return isSummary ? { text: summarizeRecord(body, SUMMARY_CHARS) } : judgeStep(body)
}
