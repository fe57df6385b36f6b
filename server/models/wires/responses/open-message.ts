import type { UnknownRecord } from '../../../kit/record'
import { itemAdded, itemDone, type OpenItem, type ResponseEvent } from './event'

type Part = { kind: 'output_text' | 'refusal'; text: string; logprobs: unknown[] }

export type OpenMessage = OpenItem & {
  add: (kind: Part['kind'], text: string, logprobs?: unknown[]) => ResponseEvent[]
}

const written = ({ kind, text, logprobs }: Part): UnknownRecord =>
  kind === 'refusal' ? { type: kind, refusal: text } : { type: kind, text, annotations: [], logprobs }

/** Writes a message of the assistant. */
export function openMessage(id: string, place: number): OpenMessage {
  const parts: Part[] = []
  const item = (status: string) => ({ id, type: 'message', status, role: 'assistant', content: parts.map(written) })
  const at = () => ({ item_id: id, output_index: place, content_index: parts.length - 1 })
  const endPart = (): ResponseEvent[] => {
    const part = parts.at(-1)
    if (!part) return []
    const { kind, text, logprobs } = part
    const whole = kind === 'refusal' ? { refusal: text } : { text, logprobs }
    return [
      { type: `response.${kind}.done`, ...at(), ...whole },
      { type: 'response.content_part.done', ...at(), part: written(part) },
    ]
  }
  const begunPart = (kind: Part['kind']): ResponseEvent[] => {
    const ended = endPart()
    const part: Part = { kind, text: '', logprobs: [] }
    parts.push(part)
    return [...ended, { type: 'response.content_part.added', ...at(), part: written(part) }]
  }
  return {
    place,
    begin: () => [itemAdded(place, item('in_progress'))],
    add: (kind, text, logprobs = []) => {
      const begun = parts.at(-1)?.kind === kind ? [] : begunPart(kind)
      const part = parts.at(-1)
      if (part) part.text += text
      part?.logprobs.push(...logprobs)
      const delta = { type: `response.${kind}.delta`, ...at(), delta: text }
      return [...begun, kind === 'refusal' ? delta : { ...delta, logprobs }]
    },
    end: (status) => ({ events: [...endPart(), itemDone(place, item(status))], item: item(status) }),
  }
}
