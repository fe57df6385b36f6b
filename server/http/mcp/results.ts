import type { CallToolResult } from '@modelcontextprotocol/server'
import type { McpToolResult } from '../../api/public/mcp'
import type { AppError } from '../../errors'
import { errorBody, retryAfterSeconds } from '../response'

/** The billing block, where clients look for it, and the id of the call's receipt. */
const billing = (requestId: string, credits: number | undefined) => {
  const service = credits === undefined ? undefined : { credits_charged: credits }
  const meta = { ...(service && { 'tollgate/service': service }), 'tollgate/request-id': requestId }
  return { ...(service && { service }), _meta: meta }
}

/** A call that was refused or failed: the error that REST would return, as a result. */
export function failedResult(error: AppError, requestId: string): CallToolResult {
  const retryAfter = retryAfterSeconds(error)
  const text = JSON.stringify({ ...errorBody(error), ...(retryAfter !== undefined && { retryAfter }) })
  return { content: [{ type: 'text', text }], isError: true, ...billing(requestId, error.charge?.credits) }
}

/** What a tool returned, as a result. */
export const successResult = ({ result, credits, images }: McpToolResult, requestId: string): CallToolResult => ({
  content: [
    { type: 'text', text: JSON.stringify(result) },
    ...images.map(({ base64, mimeType }) => ({ type: 'image' as const, data: base64, mimeType })),
  ],
  structuredContent: result,
  ...billing(requestId, credits),
})
