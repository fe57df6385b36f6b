import { isRecord, type UnknownRecord } from '../../kit/record'
import type { CompletionBody } from '../completion'
import { EFFORTS, type Effort } from '../shape'
import { type Draft, drop, note } from './draft'
import { NO_SAMPLING } from './families'
import { fitThinking } from './fit-thinking'
import { DROPPED } from './shape'

/** Values of sampling settings that ask for nothing. */
const DEFAULTS: Readonly<Record<string, number>> = {
  temperature: 1,
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
}

const isEffort = (value: unknown): value is Effort => EFFORTS.includes(value as Effort)

/** The nearest effort that a model has; of two, the stronger one. */
export function nearestEffort(wanted: Effort, efforts: readonly Effort[]): Effort | undefined {
  const rank = EFFORTS.indexOf(wanted)
  const distance = (effort: Effort) => Math.abs(EFFORTS.indexOf(effort) - rank)
  return [...efforts].sort((a, b) => distance(a) - distance(b) || EFFORTS.indexOf(b) - EFFORTS.indexOf(a))[0]
}

/** Effort, thinking, and the sampling settings that depend on them. */
export function fitEffort(draft: Draft): void {
  if (draft.wire === 'messages') fitThinking(draft)
  else fitNamedEffort(draft)
  fitSampling(draft)
}

const reasoningOf = ({ body }: Draft): UnknownRecord => (isRecord(body.reasoning) ? body.reasoning : {})

const effortIn = (draft: Draft): unknown =>
  draft.wire === 'chat' ? draft.body.reasoning_effort : reasoningOf(draft).effort

function setEffort(draft: Draft, effort: Effort): void {
  if (draft.wire === 'chat') draft.body.reasoning_effort = effort
  else draft.body.reasoning = { ...reasoningOf(draft), effort }
}

/** The effort of chat completions and of the responses API. */
function fitNamedEffort(draft: Draft): void {
  const { abilities, body, wire } = draft
  const { efforts } = abilities
  const isTaken = abilities.parameters.reasoning_effort !== false
  if (efforts === undefined && isTaken) return
  const wanted = effortIn(draft)
  if (!isTaken || efforts?.length === 0) {
    // A summary is of reasoning that there is not.
    delete body[wire === 'chat' ? 'reasoning_effort' : 'reasoning']
    if (wanted != null && wanted !== 'none') note(draft, 'reasoning_effort', DROPPED)
    return
  }
  if (!isEffort(wanted) || !efforts || efforts.includes(wanted)) return
  const nearest = nearestEffort(wanted, efforts)
  if (nearest === undefined) return
  setEffort(draft, nearest)
  note(draft, 'reasoning_effort', nearest)
}

/** True where a request makes a model think before it answers, in the messages API. */
const thinks = ({ thinking }: CompletionBody): boolean => isRecord(thinking) && thinking.type !== 'disabled'

function fitSampling(draft: Draft): void {
  const { abilities, body, wire } = draft
  const { sampling } = abilities
  const isOff = sampling === 'unless off' && effortIn(draft) === 'none'
  // Of a model that is not known, a caller of its own wire knows better.
  const isKnown = draft.asked !== 'messages' || abilities.thinking !== undefined
  if (
    (wire === 'messages' && isKnown && thinks(body)) ||
    sampling === 'none' ||
    (sampling === 'unless off' && !isOff)
  ) {
    for (const name of NO_SAMPLING) drop(draft, name, DEFAULTS[name])
    if (wire === 'messages') drop(draft, 'top_k')
  } else if (sampling === 'one' && body.temperature != null) drop(draft, 'top_p', 1)
}
