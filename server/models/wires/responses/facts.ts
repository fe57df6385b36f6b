import { isRecord, recordsIn, type UnknownRecord } from '../../../kit/record'
import type { ChunkFacts, CompletionChunk, WrittenText } from '../../completion'
import { readResponsesUsage } from './usage'

/** Events that nothing follows. */
const LAST: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete', 'response.failed'])

/** Events that bring a piece of a text in `delta`. */
const DELTA =
  /^response\.(output_text|refusal|reasoning_text|reasoning_summary_text|function_call_arguments|custom_tool_call_input)\.delta$/

export const isResponsesDelta = ({ type, delta }: CompletionChunk): boolean =>
  typeof type === 'string' && DELTA.test(type) && typeof delta === 'string' && delta !== ''

/** True for the event that ends a stream. */
export const isLastEvent = ({ type }: CompletionChunk): boolean => LAST.has(type)

/** Every text of an item. */
function textsOfItem(item: UnknownRecord): string[] {
  const parts = [...recordsIn(item.content), ...recordsIn(item.summary)].map(({ text, refusal }) => text ?? refusal)
  const action = isRecord(item.action) ? JSON.stringify(item.action) : undefined
  return [item.name, ...parts, item.arguments, item.input, action].filter(
    (text): text is string => typeof text === 'string' && text !== '',
  )
}

const inLane = (index: unknown, texts: readonly string[]): WrittenText[] =>
  texts.map((text, i) => ({ lane: `${index} ${i}`, text }))

/** The texts of one stream: pieces as they come, and the whole of what came without pieces. */
function makeTextReader(): (chunk: CompletionChunk) => WrittenText[] {
  const seen = new Set<unknown>()
  const whole = (index: unknown, item: unknown): WrittenText[] => {
    if (seen.has(index) || !isRecord(item)) return []
    seen.add(index)
    return inLane(index, textsOfItem(item))
  }
  return (chunk) => {
    const { type, output_index: index, delta, item, response } = chunk
    if (isResponsesDelta(chunk)) {
      seen.add(index)
      return [{ lane: `${index} ${type} ${chunk.content_index ?? chunk.summary_index ?? 0}`, text: String(delta) }]
    }
    if (type === 'response.output_item.added' && isRecord(item) && typeof item.name === 'string')
      return [{ lane: `${index} name`, text: item.name }]
    if (type === 'response.output_item.done') return whole(index, item)
    if (!isLastEvent(chunk) || !isRecord(response)) return []
    return recordsIn(response.output).flatMap((each, i) => whole(i, each))
  }
}

/** Reads a response, or the events of one stream in their order. */
export function makeResponsesFactsReader(): (chunk: CompletionChunk) => ChunkFacts {
  const readTexts = makeTextReader()
  return (chunk) => {
    if (typeof chunk.type !== 'string') return factsOfResponse(chunk)
    const isLast = isLastEvent(chunk)
    return {
      usage: isRecord(chunk.response) ? readResponsesUsage(chunk.response.usage) : null,
      texts: readTexts(chunk),
      endedChoices: isLast ? [0] : [],
      isEmpty: false,
      isLast,
    }
  }
}

const factsOfResponse = ({ output, usage }: CompletionChunk): ChunkFacts => ({
  usage: readResponsesUsage(usage),
  texts: recordsIn(output).flatMap((item, i) => inLane(i, textsOfItem(item))),
  endedChoices: [0],
  isEmpty: false,
  isLast: true,
})
