import { isRecord, recordsIn, type UnknownRecord } from '../../kit/record'
import type { ModelStepOutput } from './model-step-output'
import { isJson, replyText } from './reply-finish'
import { inOneOrder } from './result-trim'
import { type RunStep, toolCallIdOf } from './state'

/** A model step's message as it goes back to a model, with the ids of its calls. */
type AssistantMessage = {
  /** null: the step said nothing that could go back. */
  message: (UnknownRecord & { role: 'assistant' }) | null
  /** Calls with their ids, also those that were not made. */
  calls: { id: string; name: string }[]
}

/** What a message that goes back depends on, beside its step. */
export type ReplyContext = {
  /** The model that is asked: what another one thought or signed is nothing to it. */
  modelId: string
  /** Ids of calls so far: some providers refuse one that comes twice. New ones are added. */
  seenIds: Set<string>
}

/**
 * The message of a model step exactly as the model gave it, since some providers refuse or get
 * worse without their reasoning and signatures. What can be refused is changed: arguments that are
 * not JSON, and ids of calls that are missing or come twice.
 */
export function assistantMessage(
  step: RunStep,
  output: ModelStepOutput,
  { modelId, seenIds }: ReplyContext,
): AssistantMessage {
  const given = inOneOrder(
    output.message && step.name === modelId ? output.message : plainMessage(output),
  ) as UnknownRecord
  const { tool_calls: _calls, ...fields } = given
  const made = recordsIn(given.tool_calls)
  const ids = callIds(made, step.index, seenIds)
  const tool_calls = made.map((call, i) => ({ ...call, id: ids[i], function: withValidArguments(call.function) }))
  const calls = made.map(({ function: called }, i) => ({
    id: ids[i] ?? '',
    name: isRecord(called) ? String(called.name) : '',
  }))
  if (made.length === 0 && output.text.trim() === '') return { message: null, calls }
  const details = renamedDetails(fields.reasoning_details, made, ids)
  return {
    message: {
      ...fields,
      role: 'assistant',
      content: fields.content ?? (made.length > 0 ? null : ''),
      ...(details && { reasoning_details: details }),
      ...(made.length > 0 && { tool_calls }),
    },
    calls,
  }
}

/** A message as every model takes it; also that of a step whose row is older than `message`. */
function plainMessage({ text, calls, message }: ModelStepOutput): UnknownRecord {
  const made = message
    ? recordsIn(message.tool_calls).map(({ id, function: called }) => ({ id, type: 'function', function: called }))
    : calls.map((call) => ({ type: 'function', function: call }))
  return { content: text === '' && made.length > 0 ? null : text, ...(made.length > 0 && { tool_calls: made }) }
}

/**
 * The ids that the model gave, where all of them can be used; else ids made from the step's index.
 */
function callIds(calls: readonly UnknownRecord[], stepIndex: number, seen: Set<string>): string[] {
  const given = calls.map(({ id }) => (typeof id === 'string' ? id : ''))
  const isUsable = !given.includes('') && new Set(given).size === given.length && !given.some((id) => seen.has(id))
  const ids = isUsable ? given : calls.map((_, i) => unseenId(`${toolCallIdOf(stepIndex)}_${i}`, seen))
  for (const id of ids) seen.add(id)
  return ids
}

const unseenId = (id: string, seen: ReadonlySet<string>): string => (seen.has(id) ? unseenId(`${id}_`, seen) : id)

/** Details of reasoning under the ids that the calls have now; undefined where nothing changed. */
function renamedDetails(details: unknown, calls: readonly UnknownRecord[], ids: readonly string[]) {
  const changed = calls.flatMap(({ id }, i) => (id && id !== ids[i] ? [[id, ids[i]] as const] : []))
  const renamed = new Map<unknown, unknown>(changed)
  if (renamed.size === 0 || !Array.isArray(details)) return undefined
  return recordsIn(details).map((detail) =>
    renamed.has(detail.id) ? { ...detail, id: renamed.get(detail.id) } : detail,
  )
}

/**
 * Arguments as the model wrote them; an empty object for invalid JSON, which some upstreams refuse.
 */
function withValidArguments(called: unknown): UnknownRecord {
  const made = isRecord(called) ? called : {}
  const text = typeof made.arguments === 'string' ? made.arguments : JSON.stringify(made.arguments ?? {})
  return { ...made, arguments: isJson(text) ? text : '{}' }
}

/** The fields of messages and calls that every model takes. */
const PLAIN: ReadonlySet<string> = new Set(['role', 'content', 'tool_calls'])
const PLAIN_CALL: ReadonlySet<string> = new Set(['id', 'type', 'function'])

/**
 * Messages of which the assistant's have no field of their provider; null: they have none anyway.
 */
export function withoutOwnFields(messages: readonly UnknownRecord[]): UnknownRecord[] | null {
  if (messages.every(isPlain)) return null
  return messages.map((message) => (isPlain(message) ? message : plainFields(message)))
}

const isPlain = (message: UnknownRecord): boolean =>
  message.role !== 'assistant' ||
  (Object.keys(message).every((field) => PLAIN.has(field)) &&
    !Array.isArray(message.content) &&
    recordsIn(message.tool_calls).every((call) => Object.keys(call).every((field) => PLAIN_CALL.has(field))))

function plainFields(message: UnknownRecord): UnknownRecord {
  const calls = recordsIn(message.tool_calls).map(({ id, type, function: called }) => ({ id, type, function: called }))
  const text = replyText(message)
  return {
    role: message.role,
    content: text === '' && calls.length > 0 ? null : text,
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}
