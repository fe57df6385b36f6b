/** A settlement whose answer has gone out: whose, and until it is written or waits elsewhere. */
type Unwritten = { ownerId: number; written: Promise<void> }

const unwritten = new Map<string, Unwritten>()

/** How many settlements of this process are behind their answers. */
export const countUnwritten = (): number => unwritten.size

/** Whether a settlement is behind its answer. */
export const isUnwritten = (id: string): boolean => unwritten.has(id)

/** Notes a settlement behind its answer until `written` resolves, which never rejects. */
export function noteUnwritten(id: string, ownerId: number, written: Promise<void>): void {
  unwritten.set(id, { ownerId, written: written.finally(() => unwritten.delete(id)) })
}

/** Waits for what is behind its answer now, of one owner or of all. False where nothing is. */
export async function whenWritten(ownerId?: number): Promise<boolean> {
  if (unwritten.size === 0) return false
  const theirs = [...unwritten.values()].filter((one) => ownerId === undefined || one.ownerId === ownerId)
  await Promise.all(theirs.map(({ written }) => written))
  return theirs.length > 0
}
