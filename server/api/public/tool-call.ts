import { z } from 'zod'
import type { Idempotency } from '../../credits/hold-request'
import { AppError } from '../../errors'
import type { Caller } from '../../keys/authenticate'
import { mayCallTool } from '../../keys/grants'
import { isRecord } from '../../kit/record'
import { planToolCall, type ToolOutcome } from '../../tools/call'
import { findTool } from '../../tools/registry'
import type { Checked } from '../billed'
import type { Context } from '../context'
import { answerTool } from './idempotency'

/** A call of a tool, as REST takes it. */
export const ToolRequest = z.strictObject({
  tool: z.string().describe('Tool id, from the catalog'),
  // Not z.record, which drops a key "__proto__" instead of leaving it for the tool to refuse.
  params: z
    .unknown()
    .refine(isRecord, 'must be an object')
    .default({})
    .meta({ type: 'object', additionalProperties: true, description: "The tool's parameters" }),
})
export type ToolRequest = Pick<z.infer<typeof ToolRequest>, 'tool' | 'params'>

/** What a tool returned, with the billing block. */
type QueryResult = Record<string, unknown> & { service: { credits_charged: number } }

/** Who pays for a call of a tool, and what a repeat of it is known by. */
type ToolCallTerms = { by: Caller; idempotency: Idempotency | undefined; signal?: AbortSignal }

/**
 * What a call of a tool would cost and do. Throws `unknown_tool` and what `planToolCall` throws.
 */
export async function checkToolCall(
  { requestId, reply }: Pick<Context, 'requestId' | 'reply'>,
  { tool: id, params }: ToolRequest,
  { by, idempotency, signal }: ToolCallTerms,
): Promise<Checked<ToolOutcome, QueryResult>> {
  const tool = findTool(id)
  if (!tool) throw new AppError('unknown_tool', `There is no tool "${id}". GET /api/v1/catalog lists them.`)
  const plan = await planToolCall({
    tool,
    params,
    payer: by,
    granted: mayCallTool(by.grants, tool.id),
    id: requestId,
    channel: 'rest',
    idempotency,
    callerSignal: signal,
  })
  return { plan, answer: answerTool(reply) as Checked<ToolOutcome, QueryResult>['answer'] }
}
