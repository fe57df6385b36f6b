/** One kind of rows or files that are kept for a while only. */
export type RetentionTask = {
  /** What is deleted, in a word or two for the operator. */
  name: string
  /** How many there are to delete now. */
  count: () => Promise<number>
  /** Deletes some hundred of them. `more` is false when none are left. */
  step: () => Promise<{ deleted: number; more: boolean }>
}
