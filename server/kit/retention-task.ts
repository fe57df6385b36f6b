/** One kind of rows or files that are kept for a while only. */
export type RetentionTask = {
  /** What is deleted, in a word or two for the operator. */
  name: string
  /** How many there are to delete now. */
  count: () => Promise<number>
  /** Deletes some hundred of them. `more` is false when none are left. */
  step: () => Promise<{ deleted: number; more: boolean }>
}

/**
 * Rows that one statement counts and another deletes, `perStep` at a time.
 */
export const deletionTask = (
  name: string,
  { count, remove, perStep }: { count: () => Promise<{ n: number }[]>; remove: () => Promise<number>; perStep: number },
): RetentionTask => ({
  name,
  count: async () => (await count())[0]?.n ?? 0,
  step: async () => {
    const deleted = await remove()
    return { deleted, more: deleted === perStep }
  },
})
