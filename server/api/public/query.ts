import { z } from 'zod'
import type { Caller } from '../../keys/authenticate'
import { billed } from '../billed'
import type { Context } from '../context'
import { describedOutput } from '../described'
import { billedProcedure } from '../trpc'
import { idempotencyOf } from './idempotency'
import { readCallbackUrl, startToolTask } from './start-task'
import { StartedTask } from './task-view'
import { checkToolCall, ToolRequest } from './tool-call'

/** The billing block of every response whose call ran. */
const ServiceBlock = z.object({ credits_charged: z.int().describe('Credits billed for this call') })

export const CallbackUrl = z
  .string()
  .min(1)
  .max(2_000)
  .optional()
  .describe(
    'The call becomes a task, and this http or https URL gets a signed POST, as the Standard Webhooks specification ' +
      'describes, when it has ended',
  )

const QueryInput = ToolRequest.extend({ callbackUrl: CallbackUrl })

const QueryOutput = describedOutput(
  z.looseObject({ service: ServiceBlock }),
  "The tool's own result, with the billing block added",
)

/** True for a caller who does not wait for the answer (RFC 7240). */
export const prefersTask = (headers: Headers): boolean =>
  (headers.get('prefer') ?? '').split(/[,;]/).some((preference) => preference.trim().toLowerCase() === 'respond-async')

/** The answer of a call that is waited for. */
const answerNow = billed(({ ctx, input, by }: { ctx: Context; input: ToolRequest; by: Caller }) =>
  checkToolCall(ctx, input, { by, idempotency: idempotencyOf(ctx, 'rest'), signal: ctx.signal }),
)

export const queryProcedure = billedProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/query',
      operationId: 'query',
      summary: 'Call one tool',
      description:
        'With the header `Prefer: respond-async`, or with `callbackUrl`, the answer is a task (202) as soon as the ' +
        'credits are held: the call goes on without a connection, and GET /tasks/{taskId} has its result.',
      tags: ['Tools'],
      protect: true,
    },
    rest: {
      schema: 'QueryResult',
      bodies: { 202: StartedTask },
      content: { 'application/json': '200: what the tool returned. 202: the call runs in the background' },
      headers: ['prefer'],
      traits: ['billed', 'granted', 'idempotent', 'background'],
    },
  })
  .input(QueryInput)
  .output(QueryOutput)
  .mutation(async ({ ctx, input }) => {
    if (input.callbackUrl === undefined && !prefersTask(ctx.headers)) return answerNow({ ctx, input })
    const by = await ctx.entrance.enter()
    const callbackUrl = await readCallbackUrl(by.ownerId, input.callbackUrl)
    return startToolTask(ctx, input, { by, idempotency: idempotencyOf(ctx, 'rest'), callbackUrl })
  })
