import { Webhook } from 'standardwebhooks'
import { env } from '../../env'
import { parseRetryAfter } from '../../kit/retry-after'
import { SafeFetchError } from '../../kit/safe-fetch'
import { type PostAnswer, safePost } from '../../kit/safe-post'
import { sanitizeTextForPostgres } from '../../kit/sanitize-for-postgres'
import { withSpan } from '../../kit/tracing/tracer'
import { withRunSpan } from '../run/run-trace'
import { allowedCallbackHosts } from './callback-url'
import type { AttemptOutcome, ClaimedDelivery } from './claim'
import { deliveryBody } from './message'
import { signingSecrets } from './secret'

/** Bytes of an answer that are kept for the log. */
const ANSWER_BYTES = 1_000
/** A wait is up to this much longer than planned, so that what failed together spreads out. */
const JITTER = 0.2

const GONE = 410

/** Longest time for an attempt, in milliseconds. */
export const attemptTimeoutMs = (): number => env().WEBHOOK_TIMEOUT_S * 1_000

/** Sends a delivery once, signed. Whatever the receiver does is an outcome. */
export function attemptDelivery(delivery: ClaimedDelivery): Promise<AttemptOutcome> {
  const isRun = delivery.of === 'run'
  const work: Parameters<typeof withSpan<AttemptOutcome>>[1] = async (span) => {
    const outcome = await sendDelivery(delivery)
    span?.setAttributes({
      ...(isRun && { 'gen_ai.conversation.id': delivery.jobId, 'tollgate.run.id': delivery.runId }),
      'tollgate.owner.id': delivery.ownerId,
      'tollgate.webhook.id': delivery.id,
      'tollgate.webhook.outcome': outcome.status,
    })
    return outcome
  }
  return isRun ? withRunSpan(delivery, 'webhook', work) : withSpan('webhook', work)
}

async function sendDelivery(delivery: ClaimedDelivery): Promise<AttemptOutcome> {
  const body = deliveryBody(delivery)
  const headers = webhookHeaders(delivery.id, body, await signingSecrets(delivery.ownerId))
  const signal = AbortSignal.timeout(attemptTimeoutMs())
  const guard = { allow: allowedCallbackHosts(new URL(delivery.url)), owner: String(delivery.ownerId) }
  try {
    const answer = await safePost(delivery.url, { headers, body, signal, keepBytes: ANSWER_BYTES, ...guard })
    return outcomeOf(delivery, answer)
  } catch (error) {
    if (!(error instanceof SafeFetchError)) throw error
    return { ...afterFailure(delivery, 0), answerStatus: null, answerBody: null, error: error.message }
  }
}

/**
 * The headers of an attempt, by Standard Webhooks. Several signatures during an overlap: a receiver
 * accepts the one that it can check.
 */
export function webhookHeaders(id: string, body: string, secrets: readonly string[]): Record<string, string> {
  const at = new Date()
  return {
    'content-type': 'application/json',
    'user-agent': 'Mozilla/5.0 (compatible; Tollgate)',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  }
}

function outcomeOf(delivery: ClaimedDelivery, { status, headers, beginning }: PostAnswer): AttemptOutcome {
  const answer = { answerStatus: status, answerBody: sanitizeTextForPostgres(beginning.toString('utf8')) || null }
  if (status >= 200 && status < 300) return { status: 'delivered', retryInS: 0, ...answer, error: null }
  const error = errorText(status)
  if (status === GONE) return { status: 'failed', retryInS: 0, ...answer, error }
  return { ...afterFailure(delivery, parseRetryAfter(headers['retry-after']) ?? 0), ...answer, error }
}

function errorText(status: number): string {
  if (status === GONE) return 'The receiver answered 410: it wants nothing more.'
  if (status >= 300 && status < 400) return `The receiver answered ${status}. Redirects are not followed.`
  return `The receiver answered ${status}.`
}

/** The next attempt, by the schedule and no sooner than the receiver asks; after the last, none. */
function afterFailure({ roundAttempts }: ClaimedDelivery, minS: number): Pick<AttemptOutcome, 'status' | 'retryInS'> {
  const wait = env().WEBHOOK_RETRIES_S[roundAttempts - 1]
  if (wait === undefined) return { status: 'failed', retryInS: 0 }
  return { status: 'pending', retryInS: Math.max(wait, minS) * (1 + Math.random() * JITTER) }
}
