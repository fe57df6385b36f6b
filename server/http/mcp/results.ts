import type { CallToolResult } from '@modelcontextprotocol/server'
import type { ResponseMeta } from '../../api/context'
import { wholeErrorBody } from '../../api/error-body'
import type { McpToolResult } from '../../api/public/mcp'
import type { AppError } from '../../errors'

/** What a result says of its request. */
export type Answered = {
  requestId: string
  reply?: ResponseMeta
  /** Its client knows links to resources, which are content since revision 2025-06-18. */
  takesLinks?: boolean
}

/** What headers say over REST: the id of the call's receipt, and what its Idempotency-Key did. */
export const metaOf = ({ requestId, reply }: Answered) => ({
  'tollgate/request-id': requestId,
  ...(reply?.replayed && { 'tollgate/idempotentReplayed': true }),
  ...(reply?.unstored && { 'tollgate/idempotencyStored': false }),
})

/** The billing block, where clients look for it, and what is in headers over REST. */
const billing = (answered: Answered, credits: number | undefined) => {
  const service = credits === undefined ? undefined : { credits_charged: credits }
  return {
    ...(service && { service }),
    _meta: { ...(service && { 'tollgate/service': service }), ...metaOf(answered) },
  }
}

/** A call that was refused or failed: the error that REST would return, as a result. */
export function failedResult(error: AppError, answered: Answered): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(wholeErrorBody(error)) }],
    isError: true,
    ...billing(answered, error.charge?.credits),
  }
}

/** An image, or a link to one that is large. */
function contentOf(image: McpToolResult['images'][number], { takesLinks }: Answered): CallToolResult['content'] {
  const { mimeType } = image
  if (!('url' in image)) return [{ type: 'image', data: image.base64, mimeType }]
  if (!takesLinks) return []
  const { url: uri, bytes: size } = image
  return [{ type: 'resource_link', uri, name: uri.slice(uri.lastIndexOf('/') + 1), mimeType, size }]
}

/** What a tool returned, as a result. */
export const successResult = ({ result, credits, images }: McpToolResult, answered: Answered): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(result) }, ...images.flatMap((image) => contentOf(image, answered))],
  structuredContent: result,
  ...billing(answered, credits),
})
