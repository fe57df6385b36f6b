import { z } from 'zod'

/** What an account calls somebody whom it serves. */
export const CustomerName = z
  .string()
  .min(1, 'must have 1 to 128 characters')
  .max(128, 'must have 1 to 128 characters')
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'Leave out control characters')
  .refine((name) => !name.startsWith('deleted:'), 'must not begin with "deleted:"')
  .describe('Your own name or id of it, 1 to 128 characters')

/** A customer as receipts and keys show it. Of one whose name was deleted, what tells it apart. */
export const shownCustomer = ({ name, hash }: { name: string | null; hash: string }): string =>
  name ?? `deleted:${hash}`

export const CustomerId = z.object({ id: z.int32().positive().describe("The customer's id") })

/** A customer as its account sees it. */
export const CustomerView = z.object({
  id: z.int(),
  name: z.string().nullable().describe('null: it was deleted'),
  customer: z.string().describe('What receipts show: the name, or `deleted:` and a hash of it'),
  suspended: z.boolean(),
  suspendedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime().describe('When it was named for the first time'),
})
export type CustomerView = z.infer<typeof CustomerView>

type CustomerRow = { id: number; name: string | null; hash: string; suspendedAt: Date | null; createdAt: Date }

export const viewCustomer = (row: CustomerRow): CustomerView => ({
  id: row.id,
  name: row.name,
  customer: shownCustomer(row),
  suspended: row.suspendedAt !== null,
  suspendedAt: row.suspendedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
})

export const CustomerChanges = z.strictObject({
  suspended: z.boolean().describe('Whether calls for it are refused'),
})

/** What is asked of the list of customers. */
export const CustomerPage = z.object({
  q: z.string().max(128).optional().describe('The beginning of its name'),
  suspended: z.enum(['true', 'false']).optional().describe('Only those that are, or are not'),
  limit: z.int().min(1).max(100).default(50).describe('Customers a page'),
  cursor: z.string().max(200).optional().describe('`nextCursor` of the page before'),
})
export type CustomerPage = z.infer<typeof CustomerPage>

const CustomerSpend = CustomerView.extend({
  spent: z.int().describe('Credits that its calls were charged this month, in the time zone of the account'),
  calls: z.int().describe('Its calls this month'),
})

export const CustomerList = z.object({ rows: z.array(CustomerSpend), nextCursor: z.string().nullable() })
export type CustomerList = z.infer<typeof CustomerList>
