import type { ModelStepOutput, ReplyFinish } from './model-step-output'
import { refusalIn } from './reply-finish'
import { replyOfStep } from './reply-of-step'
import { type AgentRun, type RunStep, stepsOfRun } from './state'
import { CONTINUE, completedWith, failedWith, type Transition } from './transition'

/** A reply that is cut so often in a row is given up. */
const MAX_CONTINUATIONS = 8

/** Why a second reply in a row without an answer ends the run, in words. */
const NO_ANSWER: Partial<Record<ReplyFinish, (output: ModelStepOutput) => string>> = {
  content_filter: () => 'the provider of the model filtered the answer, twice',
  refusal: ({ message }) => `the model refused, twice: ${refusalIn(message ?? {}) ?? ''}`,
  announced: ({ text }) =>
    `the model said what it would do, twice, and did nothing. It said: ${text.trim().slice(0, 200).toWellFormed()}`,
  empty: ({ reasoningTokens, outputTokens }) =>
    reasoningTokens > 0 && reasoningTokens >= outputTokens * 0.9
      ? 'the model used all its output tokens for reasoning, twice, and answered nothing'
      : 'the model answered nothing, twice',
}

/** True for a reply that says nothing of what was asked for. */
export const hasNoAnswer = ({ finish }: ModelStepOutput): boolean => NO_ANSWER[finish] !== undefined

/**
 * True for a reply after which the model is asked again, because it was no answer or not all of it.
 */
export const isUnfinished = ({ finish, calls }: ModelStepOutput): boolean =>
  calls.length === 0 && finish !== 'stop' && finish !== 'tool_calls'

/** The latest replies of a run, as far back as none of them was finished. */
function unfinishedReplies(run: AgentRun): ModelStepOutput[] {
  const replies = stepsOfRun(run)
    .filter(({ kind }) => kind === 'model')
    .map(replyOfStep)
  return replies.slice(replies.findLastIndex((output) => !isUnfinished(output)) + 1)
}

/** The latest reply, where the model is to be asked again because of it. */
export const lastUnfinished = (run: AgentRun): ModelStepOutput | null => unfinishedReplies(run).at(-1) ?? null

/** Part of a limit that counts as all of it: providers count in their own way. */
const USED_UP = 0.9

/** True for a reply that its output limit kept from being an answer or a call at all. */
export const needsMoreOutput = ({ finish, cutCall, outputTokens, maxOutput }: ModelStepOutput): boolean =>
  cutCall !== null || (finish === 'empty' && maxOutput !== null && outputTokens >= maxOutput * USED_UP)

const isCut = ({ finish }: ModelStepOutput) => finish === 'length'

const textOfReplies = (replies: readonly ModelStepOutput[]): string =>
  replies.filter((reply) => !hasNoAnswer(reply)).reduce((joined, { text }) => joinReplies(joined, text), '')

/** The answers of a run, each joined from its replies: replies without calls that were finished. */
export function finishedAnswers(steps: readonly RunStep[]): string[] {
  const answers: string[] = []
  let replies: ModelStepOutput[] = []
  for (const step of steps) {
    if (step.kind !== 'model') continue
    const output = replyOfStep(step)
    replies.push(output)
    if (isUnfinished(output)) continue
    if (output.calls.length === 0) answers.push(textOfReplies(replies).trim())
    replies = []
  }
  return answers
}

/** The beginning of an answer that is not finished yet; empty: it is finished. */
export const answerSoFar = (run: AgentRun): string => textOfReplies(unfinishedReplies(run)).trim()

/** Ends a run that cannot go on: the answer as far as it had come is kept before the reason. */
export const failedKeeping = (run: AgentRun, reason: string): Transition => failedAfter(answerSoFar(run), reason)

const failedAfter = (answer: string, reason: string): Transition =>
  failedWith(answer === '' ? reason : `${answer}\n\n_${reason}_`)

/** What follows from a reply: calls, a further reply, or the end of the run. */
export function transitionAfter(run: AgentRun, output: ModelStepOutput): Transition {
  if (output.calls.length > 0) return CONTINUE
  const before = unfinishedReplies(run)
  const replies = [...before, output]
  const answer = textOfReplies(replies).trim()
  if (!isUnfinished(output)) return completedWith(answer)
  const giveUp = (reason: string) => failedAfter(answer, `The run was given up: ${reason}.`)
  const previous = before.at(-1)
  const reason = NO_ANSWER[output.finish]
  if (reason) return previous && hasNoAnswer(previous) ? giveUp(reason(output)) : CONTINUE
  if (replies.filter(isCut).length > MAX_CONTINUATIONS)
    return giveUp(`the answer was cut at the output limit ${MAX_CONTINUATIONS + 1} times in a row, and is not complete`)
  return CONTINUE
}

/** Characters that a continuation has in common with what came before, at most and at least. */
const OVERLAP = { most: 400, least: 12 }

/**
 * A text and its continuation without a seam: models are asked to begin with the end of
 * before, and what they repeat is there once.
 */
export function joinReplies(before: string, after: string): string {
  if (before === '') return after
  const start = after.trimStart()
  for (const known of [before, before.trimEnd()]) {
    for (let n = Math.min(known.length, start.length, OVERLAP.most); n >= OVERLAP.least; n--) {
      const repeated = start.slice(0, n)
      if (known.endsWith(repeated) && /\w{2}/.test(repeated)) return known + start.slice(n)
    }
  }
  return before + after
}

/** Characters of an answer's end that a model repeats before it continues. */
const TAIL = 80

/**
 * What the model is asked after a reply that was no answer or not all of it; null: only to try
 * again.
 */
export function requestAfter({ finish, text, cutCall, calls }: ModelStepOutput): string | null {
  if (cutCall !== null && calls.length > 0)
    return `Your call of ${cutCall} was cut off at the length limit and was not made. Make it now, if it is still needed.`
  if (cutCall !== null)
    return `Your message was cut off at the length limit, in a call of ${cutCall}. Nothing was called. Make the call again; where its arguments are long, make them shorter or split them over several calls.`
  if (finish === 'announced')
    return `You wrote: “${text.trim()}”\n\nYou called no function, so nothing of it has happened. Call the function now. If the goal is met already, give the whole answer instead.`
  if (finish === 'empty') return 'Your message was empty. Answer now, or call a tool.'
  if (finish !== 'length' || calls.length > 0) return null
  return `Your message was cut off at the length limit. It ended with:\n\n${tailOf(text)}\n\nGo on from there: repeat that ending word for word, then continue. Repeat nothing else, and do not begin again.`
}

/** The end of a text, from the beginning of a word. */
function tailOf(text: string): string {
  const tail = text.trimEnd().slice(-TAIL)
  return tail.length < TAIL ? tail : tail.slice(tail.search(/\s/) + 1)
}
