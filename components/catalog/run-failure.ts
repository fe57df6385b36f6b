import { formatCredits } from '../ui/amount'
import { needsCredits } from '../ui/credits-link'

/** A failed run. `charged` null: unknown. `fieldErrors`: what to fix, by parameter. */
export type ToolRunFailure = {
  message: string
  fieldErrors: Record<string, string>
  charged: number | null
  requestId: string | null
  /** The credits do not pay for it. */
  isShort?: boolean
}

type ErrorData = {
  appCode?: string
  requestId?: string
  issues?: readonly { path: string; message: string }[]
  charge?: { credits: number }
}

/** Errors that may have happened after the charge. */
const CHARGE_UNKNOWN: readonly (string | undefined)[] = ['internal_error', 'unavailable']

const CONNECTION_LOST = 'The service could not be reached, or its response was lost.'

const capitalize = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** The first error of each parameter; an error inside a parameter is prefixed with its path. */
function errorsByParameter(issues: readonly { path: string; message: string }[], names: readonly string[]) {
  const errors: Record<string, string> = {}
  for (const { path, message } of issues) {
    const [, name = '', ...inside] = path.split('.')
    if (!names.includes(name) || Object.hasOwn(errors, name)) continue
    errors[name] = inside.length > 0 ? `${inside.join('.')}: ${message}` : capitalize(message)
  }
  return errors
}

const dataOf = (error: unknown): ErrorData | null =>
  typeof error === 'object' && error !== null && 'data' in error
    ? ((error.data as ErrorData | undefined) ?? null)
    : null

/**
 * Why a run failed, for a form with these parameters. An error without data is a lost connection.
 */
export function toToolRunFailure(error: unknown, names: readonly string[]): ToolRunFailure {
  const data = dataOf(error)
  if (!data || !(error instanceof Error)) {
    return { message: CONNECTION_LOST, fieldErrors: {}, charged: null, requestId: null }
  }
  const { appCode, requestId, issues = [], charge } = data
  const fieldErrors = errorsByParameter(issues, names)
  const isAllAtFields = issues.length > 0 && issues.every(({ path }) => names.includes(path.split('.')[1] ?? ''))
  return {
    message: isAllAtFields ? 'Some parameters are invalid.' : error.message,
    fieldErrors,
    charged: charge?.credits ?? (CHARGE_UNKNOWN.includes(appCode) ? null : 0),
    requestId: charge ? (requestId ?? null) : null,
    ...(needsCredits(error) && { isShort: true }),
  }
}

/** Largest body the service accepts, bytes, less an allowance for what surrounds the parameters. */
const MAX_BODY_BYTES = 1024 * 1024 - 1024

/** Refuses parameters that exceed the request limit: the service would close the connection. */
export function checkParamsSize(params: unknown): ToolRunFailure | null {
  if (new Blob([JSON.stringify(params)]).size <= MAX_BODY_BYTES) return null
  return {
    message: 'These parameters are larger than the 1 MiB a request may have.',
    fieldErrors: {},
    charged: 0,
    requestId: null,
  }
}

/** What a failed or stopped run cost, in a sentence. */
export function formatCharge(charged: number | null): string {
  if (charged === null) return 'If it was charged, the charge appears in Usage.'
  if (charged === 0) return 'Nothing was charged.'
  return `${formatCredits(charged)} ${charged === 1 ? 'credit was' : 'credits were'} charged.`
}
