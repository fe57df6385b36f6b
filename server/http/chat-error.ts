import { toAppError } from '../api/trpc'
import { type AppError, ERROR_CODES } from '../errors'
import { errorHeaders, sendValue } from './response'

/**
 * The envelope that chat SDKs turn into typed exceptions, with the charge of the error next to it.
 */
export function chatErrorBody({ code, message, fields, charge }: AppError) {
  const { issues, param, ...more } = fields
  const first = Array.isArray(issues) ? issues[0]?.path : undefined
  return {
    error: { message, type: ERROR_CODES[code].chat, code, ...more, param: param ?? (first || null) },
    ...(charge && { service: { credits_charged: charge.credits } }),
  }
}

/** An error of the chat endpoints: `{error: {message, type, code, param}}`. */
export function sendChatError(thrown: unknown, headers: Record<string, string>): Response {
  const error = toAppError(thrown)
  return sendValue(error.status, chatErrorBody(error), { ...headers, ...errorHeaders(error) })
}
