import { AppError } from '../errors'

/**
 * A provider took a request and refused it for what its caller asks: the same request is refused
 * again, and nothing was made. Such a call is void where it has cost nothing.
 */
export class ProviderRefusal extends AppError {
  constructor(message: string, cause?: unknown) {
    super('invalid_request', message, { reason: 'refused', cause })
  }
}
