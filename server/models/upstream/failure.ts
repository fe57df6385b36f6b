import { secretFromEnv } from '../../env'
import { AppError, type Reason } from '../../errors'
import { log } from '../../kit/log'
import { isRecord } from '../../kit/record'
import { SECRET_PATTERNS } from '../../kit/redact'
import type { LoggedCall } from '../completion'
import type { Upstream } from '../shape'
import { errorParam, errorText } from './error-text'
import { UpstreamTimeout } from './timer'

/**
 * An upstream failed to answer. `status`: its HTTP status, or the one in its error body, or null.
 */
export class UpstreamFailure extends Error {
  constructor(
    message: string,
    readonly status: number | null = null,
    readonly details: { error?: unknown; retryAfterS?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause })
    this.name = 'UpstreamFailure'
  }
}

/** Errors of the caller's, which the caller can fix and another upstream would return too. */
const CALLER_STATUSES: ReadonlySet<number> = new Set([400, 413, 422])

export const isCallerStatus = (status: number | null): boolean => status !== null && CALLER_STATUSES.has(status)

/** Errors of a provider that has no capacity right now; the messages API has one of its own. */
const BUSY_STATUSES: ReadonlySet<number> = new Set([429, 503, 529])

/** Any error of an exchange, as a failure after which the next upstream can be asked. */
export function asUpstreamFailure(error: unknown): UpstreamFailure {
  if (error instanceof UpstreamFailure) return error
  const { code, message } = error as { code?: string; message?: string }
  const why = error instanceof UpstreamTimeout ? error.message : `${code ?? 'failed'}: ${message ?? ''}`
  return new UpstreamFailure(why, null, { cause: error })
}

/**
 * The failure that an `error` in an answer describes, with the status that its code names, if any.
 */
export function readFailure(
  error: unknown,
  status: number | null = null,
  retryAfterS?: number | null,
): UpstreamFailure {
  const code = isRecord(error) ? Number(error.code ?? error.status) : Number.NaN
  const named = Number.isInteger(code) && code >= 400 && code < 600 ? code : null
  return new UpstreamFailure(
    `the upstream answered ${status ?? named ?? 'with an error'}: ${errorText(error).slice(0, 300)}`,
    status ?? named,
    { error, retryAfterS },
  )
}

/** The error to return to the caller at once, or null when the next upstream should be asked. */
export function callerError(
  { status, details }: UpstreamFailure,
  modelId: string,
  upstream: Upstream,
): AppError | null {
  if (!isCallerStatus(status)) return null
  const error = isRecord(details.error) ? details.error : {}
  const param = errorParam(details.error)
  const text = withoutIds(errorText(details.error), modelId, upstream)
  return new AppError('invalid_request', text || 'The model refused the request.', {
    detail: {
      ...(param !== null && { param: withoutIds(param, modelId, upstream) }),
      ...(typeof error.code === 'string' && /^[a-z_]{1,60}$/.test(error.code) && { upstreamCode: error.code }),
    },
  })
}

/**
 * Logs that an upstream failed, with the call it failed in. Providers echo keys and accounts in
 * their texts: those are left out.
 */
export function logUpstreamFailure(
  { status, message }: UpstreamFailure,
  { model, upstream, logged }: { model: string; upstream: Upstream; logged?: LoggedCall },
): void {
  const { api, baseUrl } = upstream
  const err = withoutIds(message, model, upstream)
  log.warn({ ...logged, model, api, host: new URL(baseUrl).host, status, err }, 'upstream failed')
}

/**
 * The caller's error when every upstream failed: 502, with the shortest wait that any of them asked
 * for.
 */
export function allUpstreamsFailed(modelId: string, failures: readonly UpstreamFailure[]): AppError {
  const waits = failures.flatMap(({ details }) => details.retryAfterS ?? [])
  const isBusy = failures.some(({ status }) => status !== null && BUSY_STATUSES.has(status))
  return new AppError(
    'upstream_error',
    isBusy ? `${modelId} is overloaded at its provider. Try again in a moment.` : `The provider of ${modelId} failed.`,
    {
      reason: reasonOf(failures),
      retryAfter: waits.length > 0 ? Math.min(...waits) : undefined,
      cause: failures.at(-1),
    },
  )
}

/** Statuses that speak of the operator's account at the provider, not of the call. */
const ACCESS_STATUSES: ReadonlySet<number> = new Set([401, 402, 403, 404])

/** What stopped the upstreams: what passes first, because it may be over for the next request. */
function reasonOf(failures: readonly UpstreamFailure[]): Reason {
  const has = (test: (failure: UpstreamFailure) => boolean) => failures.some(test)
  if (has(({ status }) => status !== null && BUSY_STATUSES.has(status))) return 'rate_limited'
  if (has(({ details }) => details.cause instanceof UpstreamTimeout)) return 'timeout'
  if (failures.length > 0 && failures.every(({ status }) => status !== null && ACCESS_STATUSES.has(status)))
    return 'provider_access'
  return has(({ details }) => UNREACHABLE.has(String((details.cause as { code?: unknown } | undefined)?.code)))
    ? 'provider_unreachable'
    : 'provider_error'
}

const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

const IDS = [
  /https?:\/\/[^\s"'<>)]+/gi,
  /[\w.+-]+@[\w-]+\.[\w.-]+/g,
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  /\b(sk|pk|key|org|proj|project|user|acct|account|req|request|gen|chatcmpl|resp|run)[-_](?=[\w-]*\d)[\w-]{6,}/gi,
  ...SECRET_PATTERNS,
  /\b(?=[\w-]*[a-z])(?=[\w-]*\d)[\w-]{28,}\b/gi,
]

/**
 * A provider's text without what identifies our account there, with the model's name as the caller
 * knows it.
 */
function withoutIds(text: string, modelId: string, { model, apiKeyEnv }: Upstream): string {
  const key = apiKeyEnv === null ? undefined : secretFromEnv(apiKeyEnv)
  const keyless = key ? text.replaceAll(key, '…') : text
  const renamed = model.length >= 4 ? keyless.replaceAll(model, modelId) : keyless
  return IDS.reduce((kept, pattern) => kept.replaceAll(pattern, '…'), renamed).trim()
}
