import type { AppError } from '../errors'
import { toRetryAfter } from '../kit/retry-after'

/** Whole seconds after which a retry makes sense. */
export const retryAfterSeconds = ({ retryAfter }: AppError): number | undefined =>
  retryAfter === undefined ? undefined : toRetryAfter(retryAfter)

/**
 * The API's error envelope: `{error, code, reason, retryable, …detail}`, with `service` if and only
 * if the call ran.
 */
export const errorBody = ({ message, fields, charge }: AppError) => ({
  error: message,
  ...fields,
  ...(charge && { service: { credits_charged: charge.credits } }),
})

/** The same where no header can say when to retry: `retryAfter`, in whole seconds. */
export function wholeErrorBody(error: AppError) {
  const retryAfter = retryAfterSeconds(error)
  return { ...errorBody(error), ...(retryAfter !== undefined && { retryAfter }) }
}
