import { z } from 'zod'
import { AuditAction, AuditEvent, Email } from '../accounts/shape'
import { JobStatus, RunMode } from '../agent/shape'
import { CallReceipt, DayLimit } from '../credits/shape'
import { KeyChanges, KeyId } from '../keys/shape'
import { OwnerRow } from './shape'

/** A run without what it was asked and what it found. */
export const RunRow = z.object({
  jobId: z.string(),
  runId: z.string(),
  ownerId: z.int(),
  ownerEmail: z.string(),
  status: JobStatus,
  mode: RunMode,
  model: z.string(),
  steps: z.int(),
  creditsSpent: z.int(),
  createdAt: z.iso.datetime().describe('When its turn began'),
  updatedAt: z.iso.datetime(),
})
export type RunRow = z.infer<typeof RunRow>

const Limit = z.object({
  most: z.int(),
  used: z.int().describe('Now'),
  isDefault: z.boolean().describe('That of every owner for which no other is set'),
})

export const OwnerDetails = OwnerRow.extend({
  name: z.string().nullable(),
  timeZone: z.string(),
  hasPassword: z.boolean(),
  providers: z.array(z.string()).describe('Identity providers it signs in with'),
  suspendedAt: z.iso.datetime().nullable(),
  sessions: z.int().describe('Browsers that are signed in'),
  limits: z
    .object({ requestsPerMinute: Limit, callsInProgress: Limit, creditsPerDay: DayLimit.nullable() })
    .describe('Over all its keys'),
  recentRuns: z.array(RunRow),
})
export type OwnerDetails = z.infer<typeof OwnerDetails>

/** What a page names a request by: a receipt, without what was asked and answered. */
export const OperatorReceipt = z.object({
  owner: z.object({ id: z.int(), email: z.string() }),
  receipt: CallReceipt,
})
export type OperatorReceipt = z.infer<typeof OperatorReceipt>

export const KeyLimitsRequest = KeyId.extend({
  changes: KeyChanges.pick({
    budget: true,
    recurringBudget: true,
    agentRunBudgetCredits: true,
    rpm: true,
    expiresAt: true,
  }),
})
export type KeyLimitsRequest = z.infer<typeof KeyLimitsRequest>

/** A filter of what operators did, of all owners. */
const OperatorLogFilter = z.strictObject({
  action: AuditAction.optional(),
  actor: Email.optional().describe('Only what this operator did'),
  ownerId: z.int32().positive().optional().describe('Only what concerned this owner'),
})
export const OperatorLogPage = OperatorLogFilter.extend({
  limit: z.int().min(1).max(100).default(50),
  cursor: z.string().max(200).optional(),
})
export type OperatorLogPage = z.infer<typeof OperatorLogPage>
export const OperatorAct = AuditEvent.extend({ ownerId: z.int(), ownerEmail: z.string().nullable() })
export type OperatorAct = z.infer<typeof OperatorAct>
export const OperatorLog = z.object({ rows: z.array(OperatorAct), nextCursor: z.string().nullable() })
export type OperatorLog = z.infer<typeof OperatorLog>
