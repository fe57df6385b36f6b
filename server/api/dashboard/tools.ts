import { z } from 'zod'
import { CatalogTool, describeTool } from '../../catalog/describe'
import type { Replay } from '../../credits/plan'
import { AppError } from '../../errors'
import type { JsonSchema } from '../../kit/json-schema'
import { planToolCall, type ToolOutcome } from '../../tools/call'
import type { AnyTool } from '../../tools/define'
import { estimateToolCall } from '../../tools/estimate'
import { exampleInput } from '../../tools/example'
import { paramsJsonSchema } from '../../tools/params'
import { availableTools, findTool } from '../../tools/registry'
import { billed } from '../billed'
import { NOT_AUDITED } from '../operation-meta'
import { memberProcedure, router } from '../trpc'
import { billedCallProcedure } from './billed-call'
import { checkPrice, nullIfInvalid, PriceCheck } from './price-check'

const OfferedTool = CatalogTool.extend({
  mcp: z.boolean().describe('False: calls may take longer than MCP clients wait'),
  schema: z.custom<JsonSchema>().describe('JSON Schema of the parameters'),
  example: z.record(z.string(), z.unknown()).describe('Parameters to begin with'),
})

/** Tools of a list come without the types of their results, which are long. */
const ListedTool = OfferedTool.omit({ result: true })

const offerTool = (tool: AnyTool): z.infer<typeof OfferedTool> => ({
  ...describeTool(tool),
  mcp: tool.mcp !== false,
  schema: paramsJsonSchema(tool),
  example: exampleInput(tool),
})

const ToolRun = z.object({
  requestId: z.string().describe("The receipt's id"),
  charged: z.int().describe('Credits'),
  result: z.record(z.string(), z.unknown()),
  columns: z.array(z.string()).describe('Columns of its lists, the most useful first'),
})

const ToolCallInput = z.strictObject({ tool: z.string(), params: z.unknown() })

const ToolPriceCheck = PriceCheck.extend({
  fitted: z
    .array(z.object({ param: z.string(), asked: z.string(), becomes: z.string() }))
    .describe('Parameters that the call would change'),
})

/** The available tool of a call. Throws `unknown_tool`. */
function calledTool(id: string): AnyTool {
  const tool = findTool(id)
  if (!tool) throw new AppError('unknown_tool', `There is no tool "${id}".`)
  return tool
}

export const ownerToolsRouter = router({
  list: memberProcedure('member')
    .output(z.array(ListedTool))
    .query(() => availableTools().map(offerTool)),

  get: memberProcedure('member')
    .input(z.object({ tool: z.string() }))
    .output(OfferedTool)
    .query(({ input }) => {
      const tool = findTool(input.tool)
      if (!tool) throw new AppError('not_found', 'Tool not found.')
      return offerTool(tool)
    }),

  /**
   * What a call would cost; null: it would be refused. Nothing is held, and no provider asked. A
   * mutation only because parameters can be longer than a URL.
   */
  estimate: memberProcedure('developer')
    .meta(NOT_AUDITED)
    .input(ToolCallInput)
    .output(ToolPriceCheck.nullable())
    .mutation(async ({ ctx, input: { tool, params } }) => {
      const call = { tool: calledTool(tool), params }
      const estimate = await nullIfInvalid(estimateToolCall(ctx.owner, call, { signal: ctx.signal }))
      return estimate && { ...(await checkPrice(ctx.owner, estimate)), fitted: [...estimate.fitted] }
    }),

  /** Runs one tool, paid by the owner, without a key. The tool's schema validates `params`. */
  run: billedCallProcedure
    .input(ToolCallInput)
    .output(ToolRun)
    .mutation(
      billed(async ({ ctx, input, by }) => {
        const { requestId } = ctx
        const tool = calledTool(input.tool)
        const plan = await planToolCall({
          tool,
          params: input.params,
          payer: by,
          granted: true,
          id: requestId,
          channel: 'playground',
          callerSignal: ctx.signal,
        })
        const answer = (outcome: ToolOutcome | Replay) => {
          // Only an Idempotency-Key causes a replay, and the dashboard sends none.
          if (outcome.kind === 'replay') throw new AppError('internal_error', 'A run was replayed.')
          return { requestId, charged: outcome.charged, result: outcome.result, columns: [...(tool.columns ?? [])] }
        }
        return { plan, answer }
      }),
    ),
})
