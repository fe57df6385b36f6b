import { z } from 'zod'

/**
 * Every paged tool takes `cursor`, the `nextCursor` of the page before, also where its parameter
 * has another name: that one goes on working.
 */
export const cursorFor = (param: string) =>
  z.string().trim().min(1).max(8192).optional().describe(`nextCursor of the previous page; the same as ${param}`)

/** A page's number; as text, too, which is what `nextCursor` is. */
export const pageNumber = <T extends z.ZodType>(number: T) =>
  z.preprocess((value) => (typeof value === 'string' && /^\d{1,7}$/.test(value) ? Number(value) : value), number)

/** `cursor` of a tool whose pages have numbers. */
export const pageCursor = (param: string) =>
  cursorFor(param).refine((cursor) => cursor === undefined || /^[1-9]\d{0,5}$/.test(cursor), 'must be a nextCursor')

/** The page that `cursor` says, else the one of the tool's own parameter. */
export const pageOf = (cursor: string | undefined, own: number): number => (cursor === undefined ? own : Number(cursor))
