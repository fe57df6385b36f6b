import type { AwaitingInput } from '../shape'

/** What a person is asked, with the index of the step it becomes and the tool it would run. */
export type Pause = AwaitingInput & { index: number; tool: string }
