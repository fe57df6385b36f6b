import { z } from 'zod'
import { KeyPage, KeyState, KeyView } from './shape'

export const KEY_SORTS = ['created', 'name', 'used', 'spent', 'remaining'] as const
export type KeySort = (typeof KEY_SORTS)[number]
export type SortOrder = 'asc' | 'desc'

/** Which keys: every condition that is given applies. */
export const KeyFilter = z.object({
  q: z.string().max(200).default('').describe('Words in its name or tags, or the last four characters of its secret'),
  state: KeyState.optional(),
  tag: z.string().max(40).optional(),
  may: z.enum(['llm', 'agent']).optional().describe('Only keys with this scope'),
})

export const KeySearch = KeyFilter.extend({
  sort: z.enum(KEY_SORTS).default('created'),
  order: z.enum(['asc', 'desc']).default('desc'),
  limit: KeyPage.shape.limit,
  // The value of the last row, such as a name.
  cursor: z.string().max(2_000).optional(),
})
export type KeySearch = z.infer<typeof KeySearch>

/** A page of keys, and the totals of all that match. */
export const FoundKeys = z.object({
  rows: z.array(KeyView),
  nextCursor: z.string().nullable(),
  totals: z.object({ count: z.int(), spent: z.int(), held: z.int() }),
})
export type FoundKeys = z.infer<typeof FoundKeys>

export const KeyName = z.object({ id: z.int(), name: z.string() })
export const KeyTag = z.object({ tag: z.string(), keys: z.int() })

/** A key that can spend hardly any more, by its lifetime or its recurring budget. */
export const LowKey = z.object({
  id: z.int(),
  name: z.string(),
  budget: z.int(),
  remaining: z.int(),
  every: z.enum(['day', 'week', 'month']).nullable().describe('Of the recurring budget; null: the lifetime budget'),
})
export const LowKeys = z.object({ rows: z.array(LowKey), total: z.int() })
export type LowKeys = z.infer<typeof LowKeys>
