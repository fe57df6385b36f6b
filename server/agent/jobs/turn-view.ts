import { z } from 'zod'
import { RunCheck } from '../checks/shape'
import { JobStatus, RunMode, RunOrigin } from '../shape'
import { RunShare } from './share-shape'

/** One turn of a conversation, for its page in the dashboard. */
export const JobTurnView = z.object({
  runId: z.string(),
  number: z.int(),
  goal: z.string(),
  attachments: z.array(z.object({ name: z.string(), url: z.string(), contentType: z.string(), bytes: z.int() })),
  mode: RunMode,
  model: z.string(),
  agent: z.string(),
  keyId: z.int(),
  keyName: z.string().nullable(),
  origin: RunOrigin.nullable().describe('null: not recorded'),
  startedBy: z.string().nullable().describe("The owner's e-mail address or the key's name then"),
  cancelled: z
    .object({ by: z.string(), keyId: z.int().nullable().describe('null: the owner, in the dashboard') })
    .nullable()
    .describe('Who cancelled it, by name, or “the operator”; null: nobody, or not recorded'),
  status: JobStatus,
  result: z.string().nullable(),
  output: z.unknown().optional().describe('Of a turn with outputSchema: the value of its result'),
  checks: z.array(RunCheck).optional().describe('Of a turn with checks: each, and what came of it'),
  share: RunShare.nullable().describe('The link with which anybody reads it; null: there is none'),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
})
export type JobTurnView = z.infer<typeof JobTurnView>

/** A person's answer to what a run asked, for the timeline in the dashboard. */
export const JobAnswerView = z.object({
  index: z.int().describe('Of the step that was asked about'),
  approved: z.boolean(),
  feedback: z.string().nullable(),
  keyId: z.int().nullable().describe('The key that answered; null: the owner, in the dashboard'),
  answeredBy: z.string().nullable().describe("The owner's e-mail address or the key's name then; null: not recorded"),
  answeredAt: z.iso.datetime(),
})
export type JobAnswerView = z.infer<typeof JobAnswerView>
