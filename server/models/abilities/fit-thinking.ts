import { isRecord, type UnknownRecord } from '../../kit/record'
import { EFFORTS, type Effort } from '../shape'
import { type Draft, note } from './draft'
import { nearestEffort } from './fit-effort'
import { DROPPED } from './shape'
import { budgetOf, effortOf } from './thinking-budget'

/** The API takes no smaller budget. */
const MIN_BUDGET = 1_024
/** Output tokens that must be left for the answer. */
const MIN_ANSWER = 1_024

const configOf = ({ body }: Draft): UnknownRecord => (isRecord(body.output_config) ? body.output_config : {})

/**
 * Thinking in the messages API: what the caller's own field asks for, or the `reasoning_budget`
 * that a request of another wire was translated to, as the model takes it.
 */
export function fitThinking(draft: Draft): void {
  const { body, abilities } = draft
  const { reasoning_budget: wanted, ...rest } = body
  draft.body = rest
  if (typeof wanted === 'number') {
    if (abilities.thinking === 'none') note(draft, 'reasoning_effort', DROPPED)
    else if (abilities.thinking === 'adaptive' || abilities.thinking === 'both')
      thinkAdaptively(draft, effortOf(wanted))
    else thinkWithin(draft, wanted)
    return
  }
  fitOwnThinking(draft)
  fitOwnEffort(draft)
}

function thinkAdaptively(draft: Draft, effort: Effort): void {
  const { efforts = [] } = draft.abilities
  draft.body.thinking = { type: 'adaptive' }
  draft.body.output_config = { ...configOf(draft), effort: nearestEffort(effort, efforts) ?? effort }
}

/** Thinking with a budget, where the limit leaves enough for it. */
function thinkWithin(draft: Draft, wanted: number): void {
  const { body, outputTokens } = draft
  const budget = Math.min(wanted, Number(body.max_tokens ?? outputTokens) - MIN_ANSWER)
  if (budget >= MIN_BUDGET) body.thinking = { type: 'enabled', budget_tokens: budget }
  else note(draft, 'reasoning_effort', DROPPED)
}

/** The `thinking` of a caller of this wire. */
function fitOwnThinking(draft: Draft): void {
  const { body, abilities } = draft
  const thinking = isRecord(body.thinking) ? body.thinking : {}
  const { type, budget_tokens: budget } = thinking
  if (type === undefined || abilities.thinking === undefined) return
  if (abilities.thinking === 'none') {
    delete body.thinking
    if (type !== 'disabled') note(draft, 'reasoning_effort', DROPPED)
  } else if (type === 'enabled' && abilities.thinking === 'adaptive') {
    const given = configOf(draft).effort
    thinkAdaptively(draft, isKnown(given) ? given : effortOf(Number(budget)))
    note(draft, 'reasoning_effort', 'adaptive')
  } else if (type === 'adaptive' && abilities.thinking === 'budget') {
    const given = configOf(draft).effort
    delete body.thinking
    thinkWithin(draft, budgetOf(isKnown(given) ? given : 'high') ?? MIN_BUDGET)
    if (isRecord(body.thinking)) note(draft, 'reasoning_effort', 'enabled')
  }
}

const isKnown = (effort: unknown): effort is Effort => EFFORTS.includes(effort as Effort)

/** The `output_config.effort` of a caller of this wire. */
function fitOwnEffort(draft: Draft): void {
  const { efforts } = draft.abilities
  const { effort, ...config } = configOf(draft)
  if (!isKnown(effort) || efforts === undefined || efforts.includes(effort)) return
  const nearest = nearestEffort(effort, efforts)
  draft.body.output_config = nearest ? { ...config, effort: nearest } : config
  if (!nearest && Object.keys(config).length === 0) delete draft.body.output_config
  note(draft, 'output_config.effort', nearest ?? DROPPED)
}
