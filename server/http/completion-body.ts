import { checkBeforeLargeBody } from '../api/large-body'
import { COMPLETION_MAX_BODY } from '../api/public/completion'
import { type BodySource, isSmallBody, readJson } from './body'
import type { RequestJson } from './parse-body'

/**
 * The body of a request to models, in any wire. A large one is read only where it may have a right
 * to an answer. Throws `forbidden`, `insufficient_credits`, and what `readJson` throws.
 */
export async function readCompletionBody(source: BodySource, maxItems?: number): Promise<RequestJson> {
  const { req, reply } = source
  const mayReplay = req.headers.has('idempotency-key')
  if (!isSmallBody(req)) await checkBeforeLargeBody({ caller: reply.caller, mayReplay })
  return readJson(source, COMPLETION_MAX_BODY, maxItems)
}
