import { handleAuth } from '../api/auth'
import { asDoor } from './exchange'

/** Signing in and out over HTTP: Auth.js's paths under /api/auth. Changes are taken from this site's pages only. */
export const authDoor = asDoor(
  'auth',
  async ({ req, requestId }) => {
    const answer = await handleAuth(req)
    const headers = new Headers(answer.headers)
    headers.set('x-request-id', requestId)
    return new Response(answer.body, { status: answer.status, headers })
  },
  { methods: ['GET', 'POST'] },
)
