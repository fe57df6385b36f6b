import { createHash, randomBytes } from 'node:crypto'
import { makeSessionCookie } from '../../server/accounts/session'
import { mainPool, prisma } from '../../server/db'
import { env } from '../../server/env'
import { send, type TestResponse } from './api'
import type { TestOwner } from './owners'

export const LOOPBACK_REDIRECT = 'http://127.0.0.1:8123/callback'

/** A code verifier and its S256 challenge. */
export function makePkce() {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** Forgets how many requests this machine has sent as a client. */
export const resetClientCounters = () => mainPool().query("DELETE FROM rate_window WHERE id LIKE 'oauth-%'")

/** Registers a client. */
export async function registerTestClient(metadata: Record<string, unknown> = {}): Promise<string> {
  const body = { client_name: 'Test client', redirect_uris: [LOOPBACK_REDIRECT], ...metadata }
  const answer = await send('/register', { body })
  if (answer.status !== 201) throw new Error(answer.text)
  return String(answer.body.client_id)
}

/** The parameters of an authorization request. */
export const authorizationOf = (clientId: string, challenge: string, more: Record<string, string> = {}) => ({
  client_id: clientId,
  redirect_uri: LOOPBACK_REDIRECT,
  response_type: 'code',
  code_challenge: challenge,
  code_challenge_method: 'S256',
  state: 'a state',
  ...more,
})

/** A browser that opens /authorize. */
export const openAuthorize = (params: Record<string, string>): Promise<TestResponse> =>
  send(`/authorize?${new URLSearchParams(params)}`)

/** The session cookie of an owner. */
export async function cookieOf({ id }: TestOwner): Promise<string> {
  const { name, value } = await makeSessionCookie(await prisma().owner.findUniqueOrThrow({ where: { id } }))
  return `${name}=${value}`
}

export const SETTINGS = { tools: 'all', budget: 5_000 }

/** What Allow on the consent page sends. */
export const allowOnPage = (
  cookie: string,
  request: Record<string, unknown>,
  { settings = SETTINGS, headers = {} }: { settings?: object; headers?: Record<string, string> } = {},
): Promise<TestResponse> =>
  send('/api/trpc/consent.allow', {
    body: { request, settings },
    headers: { cookie, origin: new URL(env().PUBLIC_URL).origin, 'sec-fetch-site': 'same-origin', ...headers },
  })

/** Where Allow leads. */
export const redirectOf = ({ text }: TestResponse): URL => {
  const { result } = JSON.parse(text) as { result?: { data: { redirectTo: string } } }
  if (!result) throw new Error(text)
  return new URL(result.data.redirectTo)
}

/** Sends a form. */
export const sendForm = (path: string, form: Record<string, string> | [string, string][], more = {}) =>
  send(path, {
    raw: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...more },
  })

/** A code that an owner allowed a new client, and what exchanges it. */
export async function makeCode(owner: TestOwner, settings: object = SETTINGS) {
  const clientId = await registerTestClient()
  const { verifier, challenge } = makePkce()
  const request = authorizationOf(clientId, challenge)
  const code =
    redirectOf(await allowOnPage(await cookieOf(owner), request, { settings })).searchParams.get('code') ?? ''
  const form = {
    grant_type: 'authorization_code',
    code,
    client_id: clientId,
    redirect_uri: LOOPBACK_REDIRECT,
    code_verifier: verifier,
  }
  return { clientId, form, exchange: (more: Record<string, string> = {}) => sendForm('/token', { ...form, ...more }) }
}
