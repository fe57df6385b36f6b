import { z } from 'zod'
import { ArtifactKind } from '../../tools/shape'

/** What the runs of a conversation have used. */
export const JobUsage = z.object({
  steps: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  cachedTokens: z.int().describe('Input tokens that a model read from its cache, at a lower price'),
})

/** Something that a run made, and that people can use. */
export const JobArtifact = z.object({
  kind: ArtifactKind,
  name: z.string(),
  url: z
    .string()
    .optional()
    .describe('Where it is. A dataset: its download as CSV, with a key; `format=xlsx` for a workbook'),
  id: z.string().optional().describe("A hosted file's id, a dataset's name, a site's slug"),
})
export type JobArtifact = z.infer<typeof JobArtifact>
