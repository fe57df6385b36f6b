import { z } from 'zod'
import { AwaitingInput } from '../shape'

/** What a person is asked, with the index of the step it becomes and the tool it would run. */
export const Pause = AwaitingInput.extend({ index: z.int(), tool: z.string() })
export type Pause = z.infer<typeof Pause>
