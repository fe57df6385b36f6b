import { isRecord, type UnknownRecord } from '../../../kit/record'
import type { CompletionChunk } from '../../completion'
import type { ResponseEvent } from './event'
import { isLastEvent } from './facts'
import type { ResponseWriter } from './from-chat-writer'
import { idFor, type ResponseHead, responseBase } from './response'
import { writeResponsesUsage } from './usage'

/** A response that an upstream of this wire wrote, under our ids. */
export function ownResponse(response: UnknownRecord, { id, model, state }: ResponseHead): UnknownRecord {
  const { service: _service, ...kept } = response
  return { ...kept, id: idFor('resp', id), model, ...state }
}

/** Passes an upstream's events on. The one that ends the stream waits for the bill. */
export function makeNativeWriter(head: ResponseHead): ResponseWriter {
  let latest: UnknownRecord = responseBase(head)
  let last: ResponseEvent | null = null
  const output: unknown[] = []
  const pass = (event: CompletionChunk): ResponseEvent[] => {
    const { obfuscation: _padding, service: _service, ...kept } = event as ResponseEvent
    if (kept.type === 'response.output_item.done') output.push(kept.item)
    if (!isRecord(kept.response)) return [kept]
    latest = ownResponse(kept.response, head)
    return [{ ...kept, response: latest }]
  }
  const failed = (error: { code: string; message: string }): ResponseEvent => ({
    type: 'response.failed',
    response: { ...latest, status: 'failed', error, output },
  })
  return {
    accept: (chunk) => {
      if (last) return []
      const [event, ...rest] = pass(chunk)
      if (!event || !isLastEvent(event)) return event ? [event, ...rest] : []
      last = event
      return []
    },
    end: ({ usage, estimated }) => {
      if (!last) return [failed({ code: 'upstream_error', message: 'The model’s provider ended its answer early.' })]
      const { response } = last
      return [
        estimated && isRecord(response)
          ? { ...last, response: { ...response, usage: writeResponsesUsage(usage) } }
          : last,
      ]
    },
    fail: (error) => [failed(error)],
  }
}
