import { exportOwner } from '../owner-data/export'

/** An owner's data as the pieces of a ZIP, once an export was begun. See `exportOwner`. */
export const exportPieces = (ownerId: number, signal: AbortSignal): AsyncGenerator<Uint8Array> =>
  exportOwner({ ownerId, signal })
