import { z } from 'zod'
import { AppError } from '../../errors'
import { mayCallTool } from '../../keys/grants'
import { isRecord } from '../../kit/record'
import { planToolCall } from '../../tools/call'
import { findTool } from '../../tools/registry'
import { billed } from '../billed'
import { describedOutput } from '../described'
import { billedProcedure } from '../trpc'
import { answerTool, idempotencyOf } from './idempotency'

/** The billing block of every response whose call ran. */
const ServiceBlock = z.object({ credits_charged: z.int().describe('Credits billed for this call') })

const QueryInput = z.strictObject({
  tool: z.string().describe('Tool id, from the catalog'),
  // Not z.record, which drops a key "__proto__" instead of leaving it for the tool to refuse.
  params: z
    .unknown()
    .refine(isRecord, 'must be an object')
    .default({})
    .meta({ type: 'object', additionalProperties: true, description: "The tool's parameters" }),
})

const QueryOutput = describedOutput(
  z.looseObject({ service: ServiceBlock }),
  "The tool's own result, with the billing block added",
)

export const queryProcedure = billedProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/query',
      operationId: 'query',
      summary: 'Call one tool',
      tags: ['Tools'],
      protect: true,
    },
    rest: { schema: 'QueryResult', traits: ['billed', 'granted', 'idempotent'] },
  })
  .input(QueryInput)
  .output(QueryOutput)
  .mutation(
    billed(async ({ ctx, input, by }) => {
      const tool = findTool(input.tool)
      if (!tool) throw new AppError('unknown_tool', `There is no tool "${input.tool}". GET /api/v1/catalog lists them.`)
      const plan = await planToolCall({
        tool,
        params: input.params,
        payer: by,
        granted: mayCallTool(by.grants, tool.id),
        id: ctx.requestId,
        channel: 'rest',
        idempotency: idempotencyOf(ctx, 'rest'),
        callerSignal: ctx.signal,
      })
      return { plan, answer: answerTool(ctx.reply) }
    }),
  )
