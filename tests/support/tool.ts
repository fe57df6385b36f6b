import { z } from 'zod'
import { type AnyTool, defineTool, type ToolContext, type ToolPricing } from '../../server/tools/define'
import { exampleInput } from '../../server/tools/example'
import { ASKS_PROVIDER } from '../../server/tools/flow'
import { findTool } from '../../server/tools/registry'

/** The example of a tool that is available here. */
export function exampleOf(toolId: string): Record<string, unknown> {
  const tool = findTool(toolId)
  if (!tool) throw new Error(`There is no tool ${toolId}.`)
  return exampleInput(tool)
}

type Sample = {
  pricing?: ToolPricing<{ n?: number }>
  timeoutMs?: number
  run?: (context: ToolContext) => Promise<Record<string, unknown>>
}

/**
 * A tool outside the registry, for outcomes no provider's sandbox can provoke. Fixed at 5 credits
 * by default.
 */
export const makeTool = ({ pricing = { kind: 'fixed', credits: 5 }, timeoutMs, run }: Sample = {}): AnyTool =>
  defineTool({
    id: 'test_sample',
    label: 'Sample',
    capability: 'web',
    description: 'A sample.',
    params: z.strictObject({ n: z.number().optional() }),
    output: z.looseObject({}),
    pricing,
    timeoutMs,
    annotations: { readOnly: true, openWorld: true, idempotent: true },
    flow: ASKS_PROVIDER,
    available: () => true,
    run: (_input, context) => (run ? run(context) : Promise.resolve({ ok: true })),
  })
