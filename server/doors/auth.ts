import { handleAuth } from '../api/auth'
import { AppError, isAppError } from '../errors'
import { log } from '../kit/log'

/** Signing in and out over HTTP: Auth.js's paths under /api/auth. */
export async function authDoor(req: Request): Promise<Response> {
  try {
    if (req.method !== 'GET' && req.method !== 'POST') throw new AppError('method_not_allowed', 'Use GET or POST.')
    return await handleAuth(req)
  } catch (error) {
    if (!isAppError(error)) log.error({ err: (error as Error).message }, 'auth door')
    const refusal = isAppError(error) ? error : new AppError('internal_error', 'Something went wrong on our side.')
    const { code, message, status } = refusal
    return Response.json({ error: message, code }, { status, headers: status === 405 ? { allow: 'GET, POST' } : {} })
  }
}
