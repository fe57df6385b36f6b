import { z } from 'zod'
import { JobArtifact } from '../shape'

/** What a link shows beside the result. */
export const ShareShows = z.array(z.enum(['goal', 'cost'])).max(2)
export type ShareShows = z.infer<typeof ShareShows>

export const RunShare = z.object({ url: z.string(), shows: ShareShows })
export type RunShare = z.infer<typeof RunShare>

export const SharedRun = z.object({
  goal: z.string().nullable(),
  result: z.string(),
  output: z.unknown().optional(),
  credits: z.int().nullable(),
  model: z.string(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  steps: z.array(z.object({ kind: z.string(), name: z.string(), hasFailed: z.boolean(), ms: z.number() })),
  artifacts: z.array(JobArtifact),
})
export type SharedRun = z.infer<typeof SharedRun>
