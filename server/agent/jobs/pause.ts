import { z } from 'zod'
import { AwaitingInput } from '../shape'

/** What a paused run asks a person, with the tool that would run and the index of its step. */
export const Pause = AwaitingInput.extend({ index: z.int(), tool: z.string() })
export type Pause = z.infer<typeof Pause>
