import { recordsIn, type UnknownRecord } from '../../kit/record'
import { isStopWord, plainWord } from '../prose/stop-words'
import { messageText, type ScriptStep } from '../script/script'

/** Words of a question that are about a result as such. */
const ABOUT_RESULTS = new Set('result answer text report mention contain contains say says name'.split(' '))

/** What a request for a verdict asks, and about which result. */
function partsOf(text: string): { question: string; result: string } {
  const [head = '', ...rest] = text.split('\n\nResult:\n')
  const [question = ''] = head.replace('Question: ', '').split('\n\nGoal: ')
  return { question, result: rest.join('\n\nResult:\n') }
}

/**
 * How the sandbox model judges a result: yes where it has half of the question's words. Null:
 * nobody asks for a verdict.
 */
export function judgeStep(body: UnknownRecord): ScriptStep | null {
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
