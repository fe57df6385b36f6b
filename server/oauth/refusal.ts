import { AppError } from '../errors'
import type { OAuthErrorCode } from './shape'

/**
 * A refusal with the code that OAuth has for it. `redirectTo`: where the browser goes with it, once
 * the client and its redirect URI are known.
 */
export const oauthRefusal = (oauthError: OAuthErrorCode, message: string, redirectTo?: string): AppError =>
  new AppError('invalid_request', message, { detail: { oauthError, redirectTo } })
