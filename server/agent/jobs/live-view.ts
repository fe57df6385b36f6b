import { z } from 'zod'
import { StepKind } from '../shape'

/** What a model has sent in a step in progress, in the order it came. */
export const LiveText = z.object({
  part: z.int(),
  kind: z.enum(['text', 'reasoning', 'tool_call']),
  name: z.string().nullable().describe('Kind tool_call: the tool'),
  text: z.string(),
})

/** A step in progress of a watched job. */
export const LiveStepView = z.object({
  index: z.int(),
  runId: z.string(),
  attemptId: z.string().describe('Another one: the step began again, and its texts with it'),
  kind: StepKind,
  name: z.string(),
  input: z.unknown(),
  note: z.string().nullable(),
  startedAt: z.iso.datetime(),
  elapsedMs: z.int(),
  texts: z.array(LiveText),
})
export type LiveStepView = z.infer<typeof LiveStepView>

/** Event `step.started`: a step has begun. A second one of the same index: it began again. */
export const StepStarted = z.object({
  index: z.int(),
  runId: z.string(),
  kind: StepKind,
  name: z.string().describe('Model or tool id'),
  input: z.unknown().optional().describe('Of a tool call, where it is small'),
  note: z.string().optional().describe('What is going on, in words'),
  startedAt: z.iso.datetime(),
})
export type StepStarted = z.infer<typeof StepStarted>

/** Event `step.delta`: a piece of what the model sends in a step. */
export const StepDelta = z.object({
  index: z.int(),
  kind: z.enum(['text', 'reasoning', 'tool_call']),
  name: z.string().optional().describe('Kind tool_call: the tool; `text` is a piece of its arguments'),
  text: z.string(),
})
export type StepDelta = z.infer<typeof StepDelta>

/** Event `tool.progress`: a tool is still running. */
export const ToolProgress = z.object({ index: z.int(), elapsedMs: z.int(), note: z.string().optional() })
export type ToolProgress = z.infer<typeof ToolProgress>

/** What a watcher has of a step in progress: all texts of this attempt up to this part. */
export const LivePosition = z.object({ attemptId: z.uuid(), part: z.int32() })
export type LivePosition = z.infer<typeof LivePosition>
