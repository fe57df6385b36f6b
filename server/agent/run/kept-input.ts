import { z } from 'zod'
import { NotesOf } from '../shape'
import type { RunStep } from './state'

/** What a model step keeps of its request beside the messages that follow from earlier rows. */
const KeptInput = z.object({
  /** What the service added to the end of the prompt. */
  note: z.string().optional(),
  /** Where the report of an earlier run in the note is from. */
  reportOrigins: z.array(z.enum(['foreign', 'private'])).optional(),
  /** The notes in the note. */
  memory: z
    .array(z.object({ of: NotesOf, text: z.string(), origins: z.array(z.enum(['foreign', 'private'])) }))
    .optional(),
})
export type KeptInput = z.infer<typeof KeptInput>

/** What a step's request said beside the messages; nothing in rows of older releases. */
export function keptInput({ kind, input }: Pick<RunStep, 'kind' | 'input'>): KeptInput {
  const parsed = kind === 'model' ? KeptInput.safeParse(input) : null
  return parsed?.success ? parsed.data : {}
}
