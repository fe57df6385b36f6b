import { secretFromEnv } from '../../env'
import { AppError } from '../../errors'
import { isRecord } from '../../kit/record'
import { parseRetryAfter } from '../../kit/retry-after'
import { measureUpstreamCall } from '../../models/metrics'
import type { Model, Upstream } from '../../models/shape'
import {
  allUpstreamsFailed,
  callerError,
  logUpstreamFailure,
  readFailure,
  UpstreamFailure,
} from '../../models/upstream/failure'
import { outcomeOf } from '../../models/upstream/outcome'
import type { ToolContext } from '../define'
import { callProvider, type ProviderResponse } from '../provider'
import { ProviderRefusal } from '../provider-refusal'

/** Largest response that is read, in bytes: it may contain an image in base64. */
const MAX_BYTES = 64 * 1024 * 1024

/** The header with the upstream's key. fal says Key where all others say Bearer. */
export function authorizationHeader({ api, apiKeyEnv }: Upstream): Record<string, string> {
  const key = apiKeyEnv === null ? undefined : secretFromEnv(apiKeyEnv)
  return key ? { authorization: `${api === 'fal' ? 'Key' : 'Bearer'} ${key}` } : {}
}

type MediaRequest = { url: string | URL; method?: 'GET' | 'POST' | 'PUT' | 'DELETE'; body?: object }

/**
 * Sends one request to an upstream and returns the response, whatever its status. A POST is not
 * repeated after a 5xx: the upstream may have accepted it. Throws UpstreamFailure, or the tool's
 * own reason when its time is up.
 */
export async function callMediaUpstream(
  context: ToolContext,
  upstream: Upstream,
  { url, method, body }: MediaRequest,
): Promise<ProviderResponse> {
  const text = body && JSON.stringify(body)
  try {
    return await callProvider(context, {
      provider: 'The provider',
      url,
      method,
      headers: {
        accept: 'application/json',
        ...(text && { 'content-type': 'application/json' }),
        ...authorizationHeader(upstream),
      },
      body: text,
      maxBytes: MAX_BYTES,
      ...(method === 'POST' && { retryDelayS }),
    })
  } catch (error) {
    if (context.signal.aborted || !(error instanceof AppError)) throw error
    throw new UpstreamFailure(error.message, null, { cause: error })
  }
}

/** Only a rate limit is retried; an account without credit stays so. */
const retryDelayS = ({ status, text, headers }: ProviderResponse): number | null =>
  status === 429 && !/insufficient_quota|exceeded your current quota/.test(text)
    ? (parseRetryAfter(headers['retry-after']) ?? 1)
    : null

/**
 * An upstream's response as JSON. Throws UpstreamFailure for an error of any form, and for what is
 * not an object.
 */
export function parseUpstreamReply({ status, headers, text }: ProviderResponse): Record<string, unknown> {
  const json = parse(text)
  if (status >= 400) throw readFailure(plainError(json ?? text), status, parseRetryAfter(headers['retry-after']))
  if (!isRecord(json)) throw new UpstreamFailure('the upstream sent something that is not a JSON object', null)
  // Routers that have begun to respond put an error into a 200. The error of a job is something
  // else.
  if (json.error != null && !('id' in json) && !('status' in json)) throw readFailure(json.error)
  return json
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The error inside a body; a list of details as one text. */
function plainError(json: unknown): unknown {
  if (!isRecord(json)) return json
  if (!Array.isArray(json.detail)) return json.error ?? json
  const messages = json.detail.flatMap((item) => (isRecord(item) && typeof item.msg === 'string' ? item.msg : []))
  return { message: messages.join(' ') }
}

/**
 * Asks a model's upstreams in request until one serves. A refusal of the request itself ends the
 * search, for the next one would refuse it too. Throws `upstream_error`, or `invalid_request` for a
 * refusal.
 */
export async function tryUpstreams<T>(
  model: Model,
  { signal, requestId, ownerId, jobId }: Pick<ToolContext, 'signal' | 'requestId' | 'ownerId' | 'jobId'>,
  serve: (upstream: Upstream) => Promise<T>,
): Promise<T> {
  const failures: UpstreamFailure[] = []
  for (const upstream of model.upstreams) {
    signal.throwIfAborted()
    const measured = measureUpstreamCall(model, upstream)
    try {
      const served = await serve(upstream)
      measured.served()
      return served
    } catch (error) {
      measured.failed(error instanceof UpstreamFailure ? outcomeOf(error) : signal.aborted ? 'timeout' : 'broken')
      if (!(error instanceof UpstreamFailure)) throw error
      const refused = callerError(error, model.id, upstream)
      if (refused) throw requestRefused(model, refused.message, error)
      failures.push(error)
      const logged = { requestId, owner: ownerId, job: jobId }
      logUpstreamFailure(error, { model: model.id, upstream, logged })
    }
  }
  throw allUpstreamsFailed(model.id, failures)
}

const refusal = ({ id }: Model, why: string) => `${id} refused the request: ${why}`

/** A job that was taken and then refused: its failure. */
export const refusedByModel = (model: Model, why: string, cause?: unknown): AppError =>
  new AppError('upstream_error', refusal(model, why), { reason: 'refused', cause })

/** A request that was not taken. */
export const requestRefused = (model: Model, why: string, cause: unknown): ProviderRefusal =>
  new ProviderRefusal(refusal(model, why), cause)

/** The error for a failure after the work was started, when no other upstream may be tried. */
export function finalFailure(model: Model, upstream: Upstream, error: unknown): unknown {
  if (!(error instanceof UpstreamFailure)) return error
  const refused = callerError(error, model.id, upstream)
  return refused ? refusedByModel(model, refused.message, error) : allUpstreamsFailed(model.id, [error])
}
