import { z } from 'zod'
import { AppError } from '../../errors'
import type { UnknownRecord } from '../../kit/record'
import type { OperationEntry, ProcedureMeta, Trait } from '../operation-meta'

/** The meta of an operation on what is kept of responses: `says` has its id and its summary. */
export const ofKept = (
  method: OperationEntry['method'],
  path: OperationEntry['path'],
  [operationId, summary]: [string, string],
  traits: readonly Trait[] = ['granted', 'named'],
): ProcedureMeta => ({
  openapi: { method, path, operationId, summary, tags: ['Chat'], protect: true },
  rest: { errors: 'chat', traits, ignoresUnknown: true },
})

const Item = z.looseObject({ id: z.string(), type: z.string() })
/** A page of items, as SDKs read it. */
export const ResponseItems = z.object({
  object: z.literal('list'),
  data: z.array(Item),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
})
type ResponseItems = z.infer<typeof ResponseItems>
export const ItemPage = z.object({
  limit: z.int().min(1).max(100).default(20).describe('Items of a page'),
  order: z.enum(['asc', 'desc']).default('desc').describe('desc: the newest first'),
  after: z.string().max(200).optional().describe('The id of the item that the page begins after'),
})

/** A page of items. Throws `not_found` for an unknown `after`. */
export function pageOfItems(items: UnknownRecord[], { limit, order, after }: z.infer<typeof ItemPage>): ResponseItems {
  const ordered = order === 'asc' ? items : items.toReversed()
  const at = after === undefined ? -1 : ordered.findIndex(({ id }) => id === after)
  if (after !== undefined && at < 0) throw new AppError('not_found', 'There is no item with the id in after.')
  const data = ordered.slice(at + 1, at + 1 + limit) as ResponseItems['data']
  return {
    object: 'list',
    data,
    first_id: data.at(0)?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: at + 1 + limit < ordered.length,
  }
}
