import { z } from 'zod'
import { findMcpTool, listMcpTools } from '../../catalog/mcp'
import { AppError } from '../../errors'
import { type HostedImage, readHostedImage } from '../../files/image'
import { mayCallTool } from '../../keys/grants'
import { log } from '../../kit/log'
import { callTool } from '../../tools/call'
import type { AnyTool } from '../../tools/define'
import { keyProcedure, router } from '../trpc'

export type { McpToolEntry } from '../../catalog/mcp'

/** A tool that ran, as MCP tells it. */
export type McpToolResult = { result: Record<string, unknown>; credits: number; pictures: HostedImage[] }

/** Larger pictures are named by their URL only: what is shown costs its reader tokens and time. */
const MAX_PICTURE_BYTES = 1024 * 1024

const McpCall = z.strictObject({ name: z.string(), params: z.unknown() })

/** The call is paid for already: a picture that cannot be read is left out, its URL stays in the result. */
async function picturesOf(tool: AnyTool, result: Record<string, unknown>): Promise<HostedImage[]> {
  if (!tool.pictures) return []
  try {
    const read = tool.pictures(result as never).map((url) => readHostedImage(url, MAX_PICTURE_BYTES))
    return (await Promise.all(read)).filter((picture) => picture !== null)
  } catch (error) {
    log.warn({ tool: tool.id, err: String(error) }, 'a picture could not be read')
    return []
  }
}

/** What the MCP door asks. It calls `admit` first; one request is admitted once, whatever follows. */
export const mcpRouter = router({
  admit: keyProcedure().query(() => null),

  listTools: keyProcedure().query(({ ctx }) => listMcpTools((id) => mayCallTool(ctx.caller.grants, id))),

  runTool: keyProcedure()
    .input(McpCall)
    .mutation(async ({ ctx, input: { name, params } }): Promise<McpToolResult> => {
      const tool = findMcpTool(name)
      if (!tool) throw new AppError('unknown_tool', `There is no tool "${name}". tools/list has those of this key.`)
      if (tool === 'elsewhere') {
        throw new AppError('unknown_tool', `${name} takes longer than an MCP call. Use POST /api/v1/query.`)
      }
      const outcome = await callTool({
        tool,
        params,
        payer: { ownerId: ctx.caller.ownerId, keyId: ctx.caller.keyId },
        granted: mayCallTool(ctx.caller.grants, tool.id),
        id: ctx.requestId,
        channel: 'mcp',
        gone: ctx.gone,
      })
      if (outcome.kind === 'replay') throw new Error('a call without an idempotency key was replayed')
      const { result, charged } = outcome
      return { result, credits: charged, pictures: await picturesOf(tool, result) }
    }),
})
