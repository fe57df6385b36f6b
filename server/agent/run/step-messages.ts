import { assistantMessage, type ReplyContext } from './assistant-message'
import { replyOfStep } from './reply-of-step'
import type { RunStep } from './state'
import type { TranscriptMessage } from './transcript'
import { hasNoAnswer, requestAfter } from './unfinished-replies'

/** Tool calls of one step that are made. */
export const MAX_CALLS = 16

/** What a model step needs to become messages. */
type StepContext = {
  asked: ReplyContext
  /** The content of the tool message of the step with this index. */
  resultOf: (index: number) => string
  /** True for the last reply of a turn that is over: nothing more was asked after it. */
  isLastOfTurn: boolean
}

/**
 * A model step as messages: the reply, the results of its calls, and what the model is asked where
 * the reply was cut. A reply without an answer is left out: the model is asked as before.
 */
export function stepMessages(step: RunStep, { asked, resultOf, isLastOfTurn }: StepContext): TranscriptMessage[] {
  const output = replyOfStep(step)
  const request = isLastOfTurn ? null : requestAfter(output)
  const asking: TranscriptMessage[] = request === null ? [] : [{ role: 'user', content: request }]
  if (hasNoAnswer(output)) return asking
  const { message, calls } = assistantMessage(step, output, asked)
  const results = calls.map(
    ({ id, name }, i): TranscriptMessage => ({
      role: 'tool',
      tool_call_id: id,
      content: i < output.calls.length ? resultOf(step.index + 1 + i) : notMade(name),
    }),
  )
  return [...(message ? [message] : []), ...results, ...asking]
}

const notMade = (name: string) =>
  `This call of ${name} was not made: at most ${MAX_CALLS} calls are made at once. Call it again if it is still needed.`
