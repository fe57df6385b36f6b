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
