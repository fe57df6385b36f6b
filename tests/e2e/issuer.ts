// An OpenID Connect issuer, as an organisation runs one: oidc-provider, on this machine.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Provider, { type Configuration } from 'oidc-provider'
import { E2E_ISSUER_PORT, E2E_ISSUER_URL, E2E_URL } from './address'

/** How the service signs in here. */
export const ISSUER_SETTINGS = {
  AUTH_OIDC_ISSUER: E2E_ISSUER_URL,
  AUTH_OIDC_ID: 'tollgate',
  AUTH_OIDC_SECRET: 'a-secret-for-tests-only',
  AUTH_OIDC_NAME: 'Acme',
  AUTH_OIDC_SCOPE: 'openid email profile groups',
}

/** What somebody says of themselves at this issuer, which believes it. */
type Person = { email: string; isVerified: boolean; groups: string[] }
const people = new Map<string, Person>()

const FORM = `<!doctype html><html lang="en"><title>Acme</title><form method="post"><label>Address <input name="email"></label>
<label><input type="checkbox" name="verified" value="1" checked> Verified</label>
<label>Groups <input name="groups"></label>
<label><input type="checkbox" name="factor" value="1"> Second factor</label>
<label><input type="checkbox" name="earlier" value="1"> An hour ago</label><button>Sign in at Acme</button></form></html>`

const configuration: Configuration = {
  clients: [
    {
      client_id: ISSUER_SETTINGS.AUTH_OIDC_ID,
      client_secret: ISSUER_SETTINGS.AUTH_OIDC_SECRET,
      redirect_uris: [`${E2E_URL}/api/auth/callback/oidc`],
    },
  ],
  claims: { openid: ['sub', 'amr', 'auth_time'], email: ['email', 'email_verified'], groups: ['groups'] },
  scopes: ['openid', 'email', 'profile', 'groups'],
  pkce: { required: () => true },
  cookies: { keys: ['a-key-for-tests-only'] },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
  findAccount: (_ctx, accountId) => ({
    accountId,
    claims: () => {
      const { email, isVerified: email_verified, groups } = people.get(accountId) ?? {}
      return { sub: accountId, email, email_verified, groups }
    },
  }),
  // Nobody is asked whether the service may know what it asks for.
  loadExistingGrant: async ({ oidc }) => {
    const grant = new oidc.provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId })
    grant.addOIDCScope('openid email profile groups')
    await grant.save()
    return grant
  },
}

async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  let body = ''
  for await (const chunk of req) body += chunk
  return new URLSearchParams(body)
}

async function interact(provider: Provider, req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.method !== 'POST') {
    res.setHeader('content-type', 'text/html')
    res.end(FORM)
    return
  }
  const form = await readForm(req)
  const email = form.get('email') ?? ''
  const groups = (form.get('groups') ?? '').split(' ').filter((group) => group !== '')
  people.set(email, { email, isVerified: form.has('verified'), groups })
  const amr = form.has('factor') ? ['pwd', 'mfa'] : ['pwd']
  const ts = Math.floor(Date.now() / 1_000) - (form.has('earlier') ? 3_600 : 0)
  await provider.interactionFinished(req, res, { login: { accountId: email, amr, ts, remember: true } })
}

/** Serves the issuer. Returns how it is stopped. */
export async function serveIssuer(): Promise<() => void> {
  const provider = new Provider(E2E_ISSUER_URL, configuration)
  const rest = provider.callback()
  const server = createServer((req, res) => {
    const answer = req.url?.startsWith('/interaction/') ? interact(provider, req, res) : rest(req, res)
    Promise.resolve(answer).catch((error) => res.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(E2E_ISSUER_PORT, '127.0.0.1', resolve))
  return () => {
    server.closeAllConnections()
    server.close()
  }
}
