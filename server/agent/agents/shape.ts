import type { AnyTool } from '../../tools/define'

/** One kind of worker: who it is, what it may use, and by which words of a goal it is found. */
export type Agent = {
  id: string
  /** What people call it. */
  label: string
  /** What it is good for: other agents read this before they hand over. */
  about: string
  /** Words of a goal that speak for it, lower case; a word of several parts counts as that many. */
  words: readonly string[]
  /** What the model is told it is. */
  instructions: string
  uses: (tool: Pick<AnyTool, 'id' | 'capability'>) => boolean
}

/** The tools of these groups, by the first part of their ids. */
export const fromGroups =
  (...groups: readonly string[]) =>
  ({ id }: Pick<AnyTool, 'id'>): boolean =>
    groups.includes(id.slice(0, id.indexOf('_')))
