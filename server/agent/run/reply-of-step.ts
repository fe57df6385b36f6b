import { memoize } from '../../kit/memoize'
import { ModelStepOutput } from './model-step-output'
import type { RunStep } from './state'

/** The output of a model step, parsed once. */
export const replyOfStep = memoize(({ output }: RunStep): ModelStepOutput => ModelStepOutput.parse(output))
