import { z } from 'zod'

const TrafficRow = z.object({
  id: z.int(),
  email: z.string(),
  suspendedFor: z.string().nullable(),
  requests: z.int().describe('With keys, refused ones included'),
  refused: z.object({ 402: z.int(), 403: z.int(), 429: z.int() }).describe('By status'),
  errors: z.int().describe('Answered with a status from 500 on'),
  averageMs: z.int().describe('Until a successful answer began'),
  slowestMs: z.int(),
  totalMs: z.int().describe('Until the answers began, of all requests together'),
  inProgress: z.int().describe('Billed calls of this moment'),
  spent: z.int().describe('Credits, those of agent runs included'),
})
export type TrafficRow = z.infer<typeof TrafficRow>

/** Owners by what they take of the service. */
export const TrafficList = z.object({ since: z.iso.datetime(), rows: z.array(TrafficRow) })
export type TrafficList = z.infer<typeof TrafficList>
