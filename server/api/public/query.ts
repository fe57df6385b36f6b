import { z } from 'zod'
import { AppError } from '../../errors'
import { payerOf } from '../../keys/authenticate'
import { mayCallTool } from '../../keys/grants'
import { isRecord } from '../../kit/record'
import { callTool } from '../../tools/call'
import { findTool } from '../../tools/registry'
import { describedOutput } from '../described'
import { holdingProcedure } from '../trpc'
import { idempotencyOf, replayAnswer } from './idempotency'

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

export const queryProcedure = holdingProcedure
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
  .mutation(async ({ ctx, input }) => {
    const tool = findTool(input.tool)
    if (!tool) throw new AppError('unknown_tool', `There is no tool "${input.tool}". GET /api/v1/catalog lists them.`)
    const outcome = await callTool({
      tool,
      params: input.params,
      payer: payerOf(ctx.caller),
      granted: mayCallTool(ctx.caller.grants, tool.id),
      id: ctx.requestId,
      channel: 'rest',
      idempotency: idempotencyOf(ctx, 'rest'),
      callerSignal: ctx.signal,
    })
    if (outcome.kind === 'replay') return replayAnswer(outcome.answer, ctx.reply)
    return { ...outcome.result, service: { credits_charged: outcome.charged } }
  })
