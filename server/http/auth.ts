import { handleAuth } from '../api/auth'
import { withBoundedBody } from './body'
import { makeHandler } from './handler'

/** Largest form of a sign-in or sign-out, bytes. */
const MAX_FORM = 64 * 1024

/**
 * Signing in and out over HTTP: Auth.js's paths under /api/auth. Changes are taken from this site's
 * pages only.
 */
export const authHandler = makeHandler(
  'auth',
  async ({ req, requestId }) => {
    const answer = await handleAuth(await withBoundedBody(req, MAX_FORM))
    const headers = new Headers(answer.headers)
    headers.set('x-request-id', requestId)
    return new Response(answer.body, { status: answer.status, headers })
  },
  { methods: ['GET', 'POST'] },
)
