import { isRecord, recordsIn, type UnknownRecord } from '../../../kit/record'
import type { ResponseItem, ResponsesRequest } from './request'
import { idFor } from './response'

/** The id that an item of an input refers to; null: it is an item itself. */
export function referenceIn({ type, role, id }: ResponseItem): string | null {
  const isReference = type === 'item_reference' || (type == null && role == null)
  return isReference && typeof id === 'string' ? id : null
}

/** The prefixes of ids, by the type of their items. */
const PREFIX: Record<string, string> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  function_call_output: 'fco',
  custom_tool_call: 'ctc',
  custom_tool_call_output: 'ctco',
}

/** Items with ids: those that were sent without one get one made of `rowId`, always the same. */
export const withItemIds = (items: readonly UnknownRecord[], rowId: string): UnknownRecord[] =>
  items.map((item, i) => {
    const typed = item.type == null ? { type: 'message', ...item } : item
    if (typeof typed.id === 'string') return typed
    return { ...typed, id: `${idFor(PREFIX[String(typed.type)] ?? 'item', rowId)}_i${i}` }
  })

/** What is left of a deleted item, so that those after it keep their ids. */
const DELETED = 'tollgate.deleted'

/** Items with one of them deleted; null: it is not among them. */
export function withoutItem(items: readonly UnknownRecord[], named: readonly UnknownRecord[], id: string) {
  const at = named.findIndex((item) => item.id === id)
  return at < 0 ? null : items.map((item, i) => (i === at ? { type: DELETED } : item))
}

/** Items without what is left of deleted ones. */
export const existing = (items: readonly UnknownRecord[]): UnknownRecord[] =>
  items.filter(({ type }) => type !== DELETED)

/** An input as items. */
export const inputAsItems = (input: ResponsesRequest['input']): UnknownRecord[] =>
  typeof input === 'string'
    ? [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: input }] }]
    : recordsIn(input)

/** The ids of items, as far as they have one. */
export const idsOf = (items: unknown): string[] =>
  recordsIn(items).flatMap(({ id }) => (typeof id === 'string' && id.length <= 200 ? [id] : []))

/** Puts a response together from the events of a stream that may be cut. */
export type PartialResponse = {
  add: (event: UnknownRecord) => void
  /** What came until now, as a response that is not complete; null: none had begun. */
  cut: () => UnknownRecord | null
}

/** What a client got of a stream: whole items, and texts as far as they came. */
export function openPartialResponse(): PartialResponse {
  let base: UnknownRecord | null = null
  const items = new Map<unknown, { item: UnknownRecord; texts: Map<unknown, string>; isDone: boolean }>()
  const add = (event: UnknownRecord): void => {
    const { type, response, item, output_index: place, content_index: part, delta } = event
    if (isRecord(response)) base = response
    if (type === 'response.output_item.added' && isRecord(item))
      items.set(place, { item, texts: new Map(), isDone: false })
    if (type === 'response.output_item.done' && isRecord(item))
      items.set(place, { item, texts: new Map(), isDone: true })
    const texts = items.get(place)?.texts
    if (type === 'response.output_text.delta' && typeof delta === 'string')
      texts?.set(part, `${texts.get(part) ?? ''}${delta}`)
  }
  return {
    add,
    cut: () => {
      if (!base) return null
      const output = [...items.values()].flatMap(({ item, texts, isDone }): UnknownRecord[] => {
        if (isDone) return [item]
        if (item.type !== 'message' || texts.size === 0) return []
        const content = [...texts.values()].map((text) => ({ type: 'output_text', text, annotations: [] }))
        return [{ ...item, status: 'incomplete', content }]
      })
      return { ...base, status: 'incomplete', incomplete_details: { reason: 'client_disconnected' }, output }
    },
  }
}
