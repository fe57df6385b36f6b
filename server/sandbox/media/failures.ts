import { setTimeout as sleep } from 'node:timers/promises'
import { openAiError } from './error'

const SLOW_REPLY_MS = 5_000

const MODERATED =
  'Your request was rejected by the safety system. If you believe this is an error, contact us at help@example.com ' +
  'and include the request ID 00000000-0000-4000-8000-000000000000.'

let alternations = 0

/** The failure that a prompt asks for, the same for images and videos; null: none. */
export async function provokedFailure(prompt: string): Promise<Response | null> {
  if (prompt.includes('sandbox:429')) {
    return openAiError(429, 'rate_limit_exceeded', 'Rate limit reached for org-sandbox1.', { 'retry-after': '30' })
  }
  if (prompt.includes('sandbox:quota'))
    return openAiError(429, 'insufficient_quota', 'You exceeded your current quota.')
  const isFaulty = prompt.includes('sandbox:500') || (prompt.includes('sandbox:alternate') && alternations++ % 2 === 0)
  if (isFaulty) return openAiError(500, null, 'The server had an error. Sorry about that!')
  if (prompt.includes('sandbox:key'))
    return openAiError(401, 'invalid_api_key', 'Incorrect API key provided: sk-sa***x1.')
  if (prompt.includes('sandbox:policy')) return openAiError(400, 'moderation_blocked', MODERATED)
  if (prompt.includes('sandbox:html')) {
    return new Response('<!doctype html><title>Just a moment…</title>', { headers: { 'content-type': 'text/html' } })
  }
  if (prompt.includes('sandbox:nonsense')) return Response.json({ made: 'up' })
  if (prompt.includes('sandbox:slow')) await sleep(SLOW_REPLY_MS)
  return null
}
