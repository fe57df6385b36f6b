import type { UnknownRecord } from '../../../kit/record'

/** An event of a stream, before it gets its number. */
export type ResponseEvent = UnknownRecord & { type: string }

/** An output item that is being written. */
export type OpenItem = {
  /** Its place in the output. */
  place: number
  /** The events that announce it. */
  begin: () => ResponseEvent[]
  /** Ends it: the last events, and the item as it is in the output. */
  end: (status: 'completed' | 'incomplete') => { events: ResponseEvent[]; item: UnknownRecord }
}

export const itemAdded = (place: number, item: UnknownRecord): ResponseEvent => ({
  type: 'response.output_item.added',
  output_index: place,
  item,
})

export const itemDone = (place: number, item: UnknownRecord): ResponseEvent => ({
  type: 'response.output_item.done',
  output_index: place,
  item,
})
