import { z } from 'zod'
import { JobStatus, RunMode } from '../shape'

/** One turn of a conversation, for its page in the dashboard. */
export const JobTurnView = z.object({
  runId: z.string(),
  number: z.int(),
  goal: z.string(),
  mode: RunMode,
  model: z.string(),
  agent: z.string(),
  keyId: z.int(),
  keyName: z.string().nullable(),
  status: JobStatus,
  result: z.string().nullable(),
  output: z.unknown().optional().describe('Of a turn with outputSchema: the value of its result'),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
})
export type JobTurnView = z.infer<typeof JobTurnView>

/** A person's answer to what a run asked, for the timeline in the dashboard. */
export const JobAnswerView = z.object({
  index: z.int().describe('Of the step that was asked about'),
  approved: z.boolean(),
  feedback: z.string().nullable(),
  keyName: z.string().nullable().describe('The key that answered; null: the owner, in the dashboard'),
  answeredAt: z.iso.datetime(),
})
export type JobAnswerView = z.infer<typeof JobAnswerView>
