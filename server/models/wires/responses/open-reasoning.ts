import type { UnknownRecord } from '../../../kit/record'
import { itemAdded, itemDone, type OpenItem, type ResponseEvent } from './event'
import { type ReasoningField, sealReasoning } from './reasoning'

export type OpenReasoning = OpenItem & {
  /** A piece of the text that can be read. */
  addText: (text: string, field: ReasoningField | null) => ResponseEvent[]
  /** Entries of `reasoning_details`, whole or in pieces. */
  addDetails: (details: readonly UnknownRecord[]) => void
}

/** Fields of a detail that come in pieces. */
const PIECES = ['text', 'summary', 'data'] as const

/** Joins a piece to the detail it continues, or adds it as a new one. */
function joinDetail(details: UnknownRecord[], piece: UnknownRecord): void {
  const known = details.find(({ index, type }) => index !== undefined && index === piece.index && type === piece.type)
  if (!known) {
    details.push({ ...piece })
    return
  }
  for (const [name, value] of Object.entries(piece)) {
    const isText = PIECES.some((field) => field === name) && typeof value === 'string'
    if (value != null) known[name] = isText && typeof known[name] === 'string' ? known[name] + value : value
  }
}

/** Writes what a model thought as one part of a summary. */
export function openReasoning(id: string, place: number): OpenReasoning {
  const details: UnknownRecord[] = []
  let field: ReasoningField | null = null
  let text = ''
  const at = { item_id: id, output_index: place, summary_index: 0 }
  const part = () => ({ type: 'summary_text', text })
  const item = (): UnknownRecord => ({ id, type: 'reasoning', summary: text === '' ? [] : [part()] })
  return {
    place,
    begin: () => [itemAdded(place, item())],
    addText: (piece, from) => {
      field ??= from
      const added = text === '' ? [{ type: 'response.reasoning_summary_part.added', ...at, part: part() }] : []
      text += piece
      return [...added, { type: 'response.reasoning_summary_text.delta', ...at, delta: piece }]
    },
    addDetails: (pieces) => {
      for (const piece of pieces) joinDetail(details, piece)
    },
    end: (status) => {
      const whole = { ...item(), status, encrypted_content: sealReasoning({ field, details }) }
      const summary =
        text === ''
          ? []
          : [
              { type: 'response.reasoning_summary_text.done', ...at, text },
              { type: 'response.reasoning_summary_part.done', ...at, part: part() },
            ]
      return { events: [...summary, itemDone(place, whole)], item: whole }
    },
  }
}
