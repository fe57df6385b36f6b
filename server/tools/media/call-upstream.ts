import { secretFromEnv } from '../../env'
import { AppError } from '../../errors'
import { log } from '../../kit/log'
import { isRecord } from '../../kit/record'
import { parseRetryAfter } from '../../kit/retry-after'
import type { Model, Upstream } from '../../models/shape'
import { allUpstreamsFailed, callerError, readFailure, UpstreamFailure } from '../../models/upstream/failure'
import type { ToolContext } from '../define'
import { callProvider, type ProviderResponse } from '../provider'

/** Largest answer read: a picture in base64 among it. */
const MAX_BYTES = 64 * 1024 * 1024

/** The header that lets us in. fal says Key where all others say Bearer. */
export function authorizationHeader({ api, apiKeyEnv }: Upstream): Record<string, string> {
  const key = apiKeyEnv === null ? undefined : secretFromEnv(apiKeyEnv)
  return key ? { authorization: `${api === 'fal' ? 'Key' : 'Bearer'} ${key}` } : {}
}

type Ask = { url: string | URL; method?: 'GET' | 'POST' | 'PUT' | 'DELETE'; body?: object }

/**
 * Sends one request to an upstream and answers whatever the status. What makes something is not sent again after a
 * 5xx: the first may have been taken. Throws UpstreamFailure, or the tool's own reason when its time is up.
 */
export async function callMediaUpstream(
  context: ToolContext,
  upstream: Upstream,
  { url, method, body }: Ask,
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

/** An upstream's answer as JSON. Throws UpstreamFailure for an error of any form, and for what is no object. */
export function parseUpstreamReply({ status, headers, text }: ProviderResponse): Record<string, unknown> {
  const json = parse(text)
  if (status >= 400) throw readFailure(plainError(json ?? text), status, parseRetryAfter(headers['retry-after']))
  if (!isRecord(json)) throw new UpstreamFailure('the upstream sent something that is no JSON object', null)
  // Routers answer 200 and tell of the error inside, once they have begun. A job's own error is not meant.
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
  const said = json.detail.flatMap((item) => (isRecord(item) && typeof item.msg === 'string' ? item.msg : []))
  return { message: said.join(' ') }
}

/**
 * Asks a model's upstreams in order until one serves. A refusal of the request itself ends the search, for the next
 * one would refuse it too. Throws `upstream_error`.
 */
export async function tryUpstreams<T>(
  model: Model,
  signal: AbortSignal,
  serve: (upstream: Upstream) => Promise<T>,
): Promise<T> {
  const failures: UpstreamFailure[] = []
  for (const upstream of model.upstreams) {
    signal.throwIfAborted()
    try {
      return await serve(upstream)
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error
      const fault = callerError(error, model.id, upstream)
      if (fault) throw refusedByModel(model, fault.message, error)
      failures.push(error)
      log.warn({ model: model.id, api: upstream.api, status: error.status, err: error.message }, 'upstream failed')
    }
  }
  throw allUpstreamsFailed(model.id, failures)
}

export const refusedByModel = ({ id }: Model, why: string, cause?: unknown): AppError =>
  new AppError('upstream_error', `${id} refused the request: ${why}`, { cause })

/** The same refusal for a failure that comes after the work was begun, when no other upstream may be asked. */
export function finalFailure(model: Model, upstream: Upstream, error: unknown): unknown {
  if (!(error instanceof UpstreamFailure)) return error
  const fault = callerError(error, model.id, upstream)
  return fault ? refusedByModel(model, fault.message, error) : allUpstreamsFailed(model.id, [error])
}
