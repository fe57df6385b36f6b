import { z } from 'zod'
import { shownCustomers } from '../../accounts/customers/names'
import { getTimeZone } from '../../accounts/time-zone'
import { agentTools } from '../../agent-tools/registry'
import { Product, UsageDimension, UsageFilter } from '../../credits/shape'
import { readUsageGroups, type UsageGroup } from '../../credits/usage-groups'
import { localDayOf, plusDays, type UsageBuckets } from '../../credits/usage-range'
import { prisma } from '../../db'
import { invalidRequest } from '../../errors'
import { readKeyNames } from '../../keys/search'
import { availableTools } from '../../tools/registry'
import { router } from '../trpc'
import { manageProcedure, manages } from './act'

/** Days that can be asked for at once. */
const MAX_DAYS = 366
const DIMENSIONS = UsageDimension.options

const UsageSumsPage = z.strictObject({
  from: UsageFilter.shape.from.describe("First day, in the account's time zone; default: 29 days before the last"),
  to: UsageFilter.shape.to.describe('Last day; default: today'),
  groupBy: z
    .string()
    .max(100)
    .default('day')
    .describe(`Some of ${DIMENSIONS.join(', ')}, with commas between. A row has those that are named here`),
  limit: z.int().min(1).max(1_000).default(100).describe('Rows a page'),
  cursor: z.string().max(4_000).optional().describe('`nextCursor` of the page before'),
})

const UsageSums = z.object({
  rows: z.array(
    z.object({
      day: z.iso.date().optional(),
      key: z.int().nullable().optional().describe("A key's id; null: no key (the dashboard)"),
      keyName: z.string().nullable().optional(),
      tag: z.string().nullable().optional().describe('Calls with a key of two tags are in both rows; null: no tag'),
      customer: z
        .string()
        .nullable()
        .optional()
        .describe('null: no customer; `deleted:` and a hash: one whose name was deleted'),
      customerId: z.int().nullable().optional(),
      product: Product.nullable().optional(),
      tool: z.string().nullable().optional().describe('null: calls of models'),
      model: z.string().nullable().optional().describe('null: calls of tools'),
      credits: z.int(),
      calls: z.int(),
    }),
  ),
  nextCursor: z.string().nullable(),
})
type UsageRow = z.infer<typeof UsageSums>['rows'][number]

/** The dimensions of a list. Throws `invalid_request`. */
function dimensionsOf(groupBy: string): UsageDimension[] {
  const named = groupBy.split(',').map((name) => name.trim())
  const unknown = named.find((name) => !UsageDimension.safeParse(name).success)
  if (unknown !== undefined)
    throw invalidRequest([{ path: ['groupBy'], message: `has no "${unknown}". It may have: ${DIMENSIONS.join(', ')}` }])
  return DIMENSIONS.filter((dimension) => named.includes(dimension))
}

/** Some days, each a bucket or all together. Throws `invalid_request`. */
function bucketsOf(first: string, last: string, isByDay: boolean): UsageBuckets {
  const days = (Date.parse(last) - Date.parse(first)) / 86_400_000 + 1
  if (days < 1) throw invalidRequest([{ path: ['to'], message: 'must not be before `from`' }])
  if (days > MAX_DAYS) throw invalidRequest([{ path: ['from'], message: `At most ${MAX_DAYS} days at once` }])
  const midnight = (day: string) => `${day}T00:00`
  const begins = Array.from({ length: isByDay ? days : 1 }, (_, n) => midnight(plusDays(first, n)))
  return { unit: 'day', begins, end: midnight(plusDays(last, 1)) }
}

/** What a row shows of its group: the dimensions that were asked for. */
async function nameRows(ownerId: number, groups: UsageGroup[], by: readonly UsageDimension[], buckets: UsageBuckets) {
  const idsOf = (field: 'key' | 'customerId') => groups.flatMap(({ [field]: id }) => (id === null ? [] : [id]))
  const [keys, customers] = await Promise.all([
    by.includes('key') ? readKeyNames(ownerId, idsOf('key')) : new Map<number, string>(),
    by.includes('customer') ? shownCustomers(ownerId, idsOf('customerId')) : new Map<number, string>(),
  ])
  const shown: Record<UsageDimension, (group: UsageGroup) => Partial<UsageRow>> = {
    day: ({ day }) => ({ day: buckets.begins[day ?? 0]?.slice(0, 10) }),
    key: ({ key }) => ({ key, keyName: key === null ? null : (keys.get(key) ?? null) }),
    tag: ({ tag }) => ({ tag }),
    customer: ({ customerId }) => ({
      customer: customerId === null ? null : (customers.get(customerId) ?? null),
      customerId,
    }),
    product: ({ product }) => ({ product }),
    tool: ({ tool }) => ({ tool }),
    model: ({ model }) => ({ model }),
  }
  return groups.map(
    (group): UsageRow =>
      Object.assign({}, ...by.map((dimension) => shown[dimension](group)), {
        credits: group.credits,
        calls: group.calls,
      }),
  )
}

/** The keys of a tag; null: no tag is meant. */
async function keysOf(ownerId: number, tag: string | null): Promise<number[] | null> {
  if (tag === null) return null
  const keys = await prisma().key.findMany({ where: { ownerId, tags: { has: tag } }, select: { id: true } })
  return keys.map(({ id }) => id)
}

/** What an account's calls were charged, for its programs. */
export const manageUsageRouter = router({
  sums: manageProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/manage/usage',
        operationId: 'sumUsage',
        summary: 'What calls were charged, by day, key, tag, customer, product, tool or model',
        description:
          'Sums of receipts: a refund lowers the sum of the day of its call. Rows are in the order of what they are ' +
          'grouped by. A management key of one tag sees the calls of its keys.',
        tags: ['Management'],
        protect: true,
      },
      rest: { schema: 'UsageSums', traits: ['granted'] },
    })
    .input(UsageSumsPage)
    .output(UsageSums)
    .query(
      manages('usage', async ({ ctx, ownerId, grant, input: { from, to, groupBy, limit, cursor } }) => {
        const by = dimensionsOf(groupBy)
        const timeZone = await getTimeZone(ownerId)
        const last = to ?? localDayOf(timeZone)
        const buckets = bucketsOf(from ?? plusDays(last, -29), last, by.includes('day'))
        const keys = await keysOf(ownerId, grant.tag)
        const tools = [...availableTools(), ...agentTools()].map(({ id }) => id)
        const asked = { ...{ ownerId, timeZone, buckets, by, keys, tools, limit }, ...(cursor && { cursor }) }
        const { rows, nextCursor } = await readUsageGroups(asked, { signal: ctx.signal })
        return { rows: await nameRows(ownerId, rows, by, buckets), nextCursor }
      }),
    ),
})
