import { z } from 'zod'

export const OwnerId = z.strictObject({ ownerId: z.int32().positive() })

const OwnerSort = z.enum(['created', 'spent', 'available', 'held'])

const OwnerState = z.enum(['active', 'suspended', 'operator'])

export const OwnersPage = z.strictObject({
  search: z.string().trim().max(300).optional().describe('E-mail, owner id, last four of a key, request or job id'),
  state: OwnerState.optional(),
  sort: OwnerSort.default('created'),
  order: z.enum(['asc', 'desc']).default('desc'),
  limit: z.int().min(1).max(100).default(50),
  cursor: z.string().max(200).optional(),
})
export type OwnersPage = z.infer<typeof OwnersPage>

/** An owner among others. Credits are integers. */
export const OwnerRow = z.object({
  id: z.int(),
  email: z.string(),
  isAdmin: z.boolean(),
  suspendedFor: z.string().nullable().describe('Why it is suspended; null: it may spend'),
  available: z.int(),
  held: z.int(),
  spentThisMonth: z.int().describe('Since the first of the month, UTC'),
  keys: z.int(),
  createdAt: z.iso.datetime(),
})
export type OwnerRow = z.infer<typeof OwnerRow>
export const OwnerList = z.object({ rows: z.array(OwnerRow), nextCursor: z.string().nullable() })
export type OwnerList = z.infer<typeof OwnerList>

const Note = z.string().trim().min(1).max(500)

export const GrantRequest = OwnerId.extend({
  credits: z
    .int()
    .min(-1e15)
    .max(1e15)
    .refine((credits) => credits !== 0, 'must not be 0')
    .describe('Negative: taken back, at most what is free'),
  note: Note.optional().describe('The owner reads it'),
})
export type GrantRequest = z.infer<typeof GrantRequest>

export const SuspendRequest = OwnerId.extend({ reason: Note.describe('Callers read it in every refusal') })
export type SuspendRequest = z.infer<typeof SuspendRequest>

/** What an owner may do over all its keys; what is left out stays as it is. */
export const OwnerLimitsRequest = OwnerId.extend({
  requestsPerMinute: z.int().min(1).max(1e9).nullable().optional().describe('null: the default of all owners'),
  callsInProgress: z.int().min(1).max(1e6).nullable().optional().describe('null: the default of all owners'),
  creditsPerDay: z.int().min(0).max(1e15).nullable().optional().describe('null: no limit'),
})
export type OwnerLimitsRequest = z.infer<typeof OwnerLimitsRequest>

export const AdminRequest = OwnerId.extend({ isAdmin: z.boolean() })

export const RefundRequest = z.strictObject({
  requestId: z.string().max(100),
  credits: z.int().min(1).max(1e15).optional().describe('Default: all that was charged'),
  note: Note.optional().describe('The owner reads it'),
})
export type RefundRequest = z.infer<typeof RefundRequest>

export const CancelRunRequest = z.strictObject({
  jobId: z.string().max(100),
  reason: Note.describe('The owner reads it as the result of the run'),
})
export type CancelRunRequest = z.infer<typeof CancelRunRequest>

export const TrafficPage = z.strictObject({
  range: z
    .enum(['now', 'hour', 'day'])
    .default('hour')
    .describe('The last five minutes, the present hour and the one before, or 24 of them'),
  sort: z.enum(['requests', 'refused', 'errors', 'latency', 'time', 'inProgress', 'spent']).default('requests'),
  limit: z.int().min(1).max(100).default(50),
})
export type TrafficPage = z.infer<typeof TrafficPage>
