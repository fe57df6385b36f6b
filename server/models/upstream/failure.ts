import { AppError } from '../../errors'
import { isRecord } from '../../kit/record'
import type { Upstream } from '../shape'

/** One upstream did not answer as it should. `status`: its HTTP status, or the one its error body names, or null. */
export class UpstreamFailure extends Error {
  constructor(
    message: string,
    readonly status: number | null = null,
    readonly told: { error?: unknown; retryAfterS?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: told.cause })
    this.name = 'UpstreamFailure'
  }
}

/** The caller's own mistakes: telling them helps, asking another upstream would not. */
const CALLERS_FAULT: ReadonlySet<number> = new Set([400, 413, 422])

/** Seconds a Retry-After asks for, whether in seconds or as a date; undefined where it says nothing of use. */
export function parseRetryAfter(header: string | string[] | undefined, now = Date.now()): number | undefined {
  const text = [header ?? ''].flat()[0]?.trim() ?? ''
  if (text === '') return undefined
  const isDate = /^[a-z]{3},/i.test(text)
  const seconds = isDate ? (Date.parse(text) - now) / 1000 : /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(seconds) ? Math.min(3600, Math.max(1, Math.ceil(seconds))) : undefined
}

/** The failure an `error` in an answer means, with the status its code names, if it names one. */
export function readFailure(error: unknown, status: number | null = null, retryAfterS?: number): UpstreamFailure {
  const code = isRecord(error) ? Number(error.code ?? error.status) : Number.NaN
  const named = Number.isInteger(code) && code >= 400 && code < 600 ? code : null
  return new UpstreamFailure(
    `the upstream answered ${status ?? named ?? 'with an error'}: ${textOf(error).slice(0, 300)}`,
    status ?? named,
    {
      error,
      retryAfterS,
    },
  )
}

/** The error to tell the caller at once, or null when the next upstream should be asked. */
export function callerError({ status, told }: UpstreamFailure, modelId: string, upstream: Upstream): AppError | null {
  if (status === null || !CALLERS_FAULT.has(status)) return null
  const error = isRecord(told.error) ? told.error : {}
  const text = withoutIds(textOf(told.error), modelId, upstream)
  return new AppError('invalid_request', text || 'The model refused the request.', {
    detail: {
      ...(typeof error.param === 'string' && { param: withoutIds(error.param, modelId, upstream) }),
      ...(typeof error.code === 'string' && /^[a-z_]{1,60}$/.test(error.code) && { upstreamCode: error.code }),
    },
  })
}

/** What the caller hears when every upstream failed: 502, with the shortest wait any of them asked for. */
export function allUpstreamsFailed(modelId: string, failures: readonly UpstreamFailure[]): AppError {
  const waits = failures.flatMap(({ told }) => told.retryAfterS ?? [])
  const isBusy = failures.some(({ status }) => status === 429 || status === 503)
  return new AppError(
    'upstream_error',
    isBusy ? `${modelId} is overloaded at its provider. Try again in a moment.` : `The provider of ${modelId} failed.`,
    { retryAfter: waits.length > 0 ? Math.min(...waits) : undefined, cause: failures.at(-1) },
  )
}

/** The text of an error body in any of the forms vendors use. */
function textOf(error: unknown): string {
  if (typeof error === 'string') return error.slice(0, 2_000)
  if (!isRecord(error)) return ''
  const raw = isRecord(error.metadata) ? error.metadata.raw : undefined
  const message = [error.message, error.detail, error.error].find((text) => typeof text === 'string') ?? ''
  // Routers say only this and put the provider's own words next to it.
  if (typeof raw === 'string' && (message === '' || message === 'Provider returned error')) return nestedText(raw)
  return String(message).slice(0, 2_000)
}

function nestedText(raw: string): string {
  try {
    const json: unknown = JSON.parse(raw)
    return textOf(isRecord(json) && 'error' in json ? json.error : json)
  } catch {
    return raw.slice(0, 2_000)
  }
}

const IDS = [
  /https?:\/\/[^\s"'<>)]+/gi,
  /[\w.+-]+@[\w-]+\.[\w.-]+/g,
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  /\b(sk|pk|key|org|proj|project|user|acct|account|req|request|gen|chatcmpl|resp|run)[-_](?=[\w-]*\d)[\w-]{6,}/gi,
  /\bBearer\s+\S+/gi,
  /\b(?=[\w-]*[a-z])(?=[\w-]*\d)[\w-]{28,}\b/gi,
]

/** A vendor's text without what names our account there, and with the model's name as the caller knows it. */
function withoutIds(text: string, modelId: string, { model }: Upstream): string {
  const renamed = model.length >= 4 ? text.replaceAll(model, modelId) : text
  return IDS.reduce((told, pattern) => told.replaceAll(pattern, '…'), renamed).trim()
}
