import { formatCredits } from '../ui/amount'

/** A run that came to nothing. `charged` null: nobody here knows. `wrong`: what to mend, by parameter. */
export type ToolRunFailure = {
  message: string
  wrong: Record<string, string>
  charged: number | null
  requestId: string | null
}

type Told = {
  appCode?: string
  requestId?: string
  issues?: readonly { path: string; message: string }[]
  charge?: { credits: number }
}

/** A failure of these may have come after the charge. */
const UNSURE: readonly (string | undefined)[] = ['internal_error', 'unavailable']

const LOST = 'The service could not be reached, or its answer was lost.'

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** What is wrong by parameter; a part of a parameter is named before the words. */
function byParameter(issues: readonly { path: string; message: string }[], names: readonly string[]) {
  const wrong: Record<string, string> = {}
  for (const { path, message } of issues) {
    const [, name = '', ...inside] = path.split('.')
    if (!names.includes(name) || Object.hasOwn(wrong, name)) continue
    wrong[name] = inside.length > 0 ? `${inside.join('.')}: ${message}` : capital(message)
  }
  return wrong
}

const dataOf = (error: unknown): Told | null =>
  typeof error === 'object' && error !== null && 'data' in error ? ((error.data as Told | undefined) ?? null) : null

/** Why a run failed, for a form with these parameters. An error without data is not the service's own. */
export function toToolRunFailure(error: unknown, names: readonly string[]): ToolRunFailure {
  const data = dataOf(error)
  if (!data || !(error instanceof Error)) return { message: LOST, wrong: {}, charged: null, requestId: null }
  const { appCode, requestId, issues = [], charge } = data
  const wrong = byParameter(issues, names)
  const isAllTold = issues.length > 0 && issues.every(({ path }) => names.includes(path.split('.')[1] ?? ''))
  return {
    message: isAllTold ? 'Some parameters will not do.' : error.message,
    wrong,
    charged: charge?.credits ?? (UNSURE.includes(appCode) ? null : 0),
    requestId: charge ? (requestId ?? null) : null,
  }
}

/** Largest body the service takes, bytes, less some for what surrounds the parameters. */
const MAX_BODY = 1024 * 1024 - 1024

/** The refusal of parameters that no request can hold: the service would break the connection. Null for those that fit. */
export function checkParamsSize(params: unknown): ToolRunFailure | null {
  if (new Blob([JSON.stringify(params)]).size <= MAX_BODY) return null
  return {
    message: 'These parameters are larger than the 1 MiB a request may have.',
    wrong: {},
    charged: 0,
    requestId: null,
  }
}

/** What a run that failed or was stopped cost, in a sentence. */
export function formatCharge(charged: number | null): string {
  if (charged === null) return 'What it was charged, if anything, will stand in Usage.'
  if (charged === 0) return 'Nothing was charged.'
  return `${formatCredits(charged)} ${charged === 1 ? 'credit was' : 'credits were'} charged.`
}
