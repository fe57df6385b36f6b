import { AppError, type Reason } from '../../errors'
import type { ProviderResponse } from '../provider'
import { providerError, responseForLog } from '../provider-errors'

export const VIDEO_PROVIDER = 'The video site'

/** An error with a message for the caller; the response, if any, is only logged. */
export const videoError = (reason: Reason, message: string, response?: ProviderResponse): AppError =>
  new AppError('upstream_error', message, { reason, cause: response && responseForLog(response) })

/** The error for an InnerTube response other than 200. */
export function innertubeError(response: ProviderResponse): AppError {
  const { status } = response
  const isConsentPage = status >= 300 && status < 400
  return providerError(VIDEO_PROVIDER, response, {
    failure: status === 404 ? 'missing' : isConsentPage ? 'access' : undefined,
    message: isConsentPage ? `${VIDEO_PROVIDER} asks this gateway for consent first. Contact the operator.` : undefined,
  })
}

/** The error for a page of comments or results whose token the provider no longer accepts. */
export const expiredTokenError = (response: ProviderResponse): AppError =>
  videoError(
    'invalid_input',
    `${VIDEO_PROVIDER} no longer accepts this continuationToken. Start from the first page.`,
    response,
  )
