import { uuidv7 } from '../../kit/id'
import { resolveFor } from '../../kit/resolve'
import { SafeFetchError } from '../../kit/safe-fetch'
import { safePost } from '../../kit/safe-post'
import { attemptTimeoutMs, webhookHeaders } from './attempt'
import { allowedCallbackHosts, parseCallbackUrl, refusePrivateCallback } from './callback-url'
import { signingSecrets } from './secret'
import type { TestedWebhook } from './shape'

/** Bytes of the receiver's answer that are shown. */
const ANSWER_BYTES = 1_000

/**
 * Sends a signed event `webhook.test` to a URL, once, and returns what its receiver answered.
 * Throws `invalid_request` for a URL that no callback may have.
 */
export async function sendTestWebhook(ownerId: number, text: string): Promise<TestedWebhook> {
  const url = parseCallbackUrl(text)
  const owner = String(ownerId)
  await refusePrivateCallback(url, resolveFor(owner))
  const id = uuidv7()
  const data = { message: 'This is a test. Nothing has happened, and nothing is to be done.' }
  const body = JSON.stringify({ type: 'webhook.test', timestamp: new Date().toISOString(), data })
  const options = {
    headers: webhookHeaders(id, body, await signingSecrets(ownerId)),
    body,
    signal: AbortSignal.timeout(attemptTimeoutMs()),
    keepBytes: ANSWER_BYTES,
    allow: allowedCallbackHosts(new URL(url)),
    owner,
  }
  try {
    const { status, beginning } = await safePost(url, options)
    const isDelivered = status >= 200 && status < 300
    const error = isDelivered ? null : `The receiver answered ${status}: this would be sent again.`
    return { id, isDelivered, answerStatus: status, answerBody: beginning.toString('utf8') || null, error }
  } catch (error) {
    if (!(error instanceof SafeFetchError)) throw error
    return { id, isDelivered: false, answerStatus: null, answerBody: null, error: error.message }
  }
}
