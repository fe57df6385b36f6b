import type { CallChannel, Product } from './shape'

/** A call that was admitted from a slice, as the hold that it would have: see `slices.ts`. */
export type SlicedCall = {
  /** The slice's id. */
  of: string
  keyId: number
  amount: bigint
  channel: CallChannel
  product: Product
  what: string
  /** How long after its slice was asked for it began, milliseconds. */
  afterMs: number
}

/** A call of a slice that has no hold of its own, with its id and whose it is. */
export type Split = SlicedCall & { id: string; ownerId: number }

const calls = new Map<string, { call: SlicedCall; forget: () => void }>()

/** Notes a call that has no hold of its own yet; `forget` is called when it has, or has ended. */
export function noteSliced(id: string, call: SlicedCall, forget: () => void): void {
  calls.set(id, { call, forget })
}

/** What a call is of that has no hold of its own. */
export const slicedCall = (id: string): SlicedCall | undefined => calls.get(id)?.call

/** Names in a settlement what its call is of, while it has no hold of its own. */
export function nameSlice(settlement: { id: string; slice?: SlicedCall }): void {
  settlement.slice ??= slicedCall(settlement.id)
}

/** Says that a call has its own hold, or has ended. */
export function forgetSliced(id: string): void {
  const noted = calls.get(id)
  if (!noted) return
  calls.delete(id)
  noted.forget()
}
