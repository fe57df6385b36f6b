import { inAct } from '../db'
import { checkKeySettings } from '../keys/create'
import { listClientKeys } from '../keys/list'
import { type KnownNames, NewKey } from '../keys/shape'
import { isUuid } from '../kit/id'
import { type AuthorizationRequest, errorRedirect, readAuthorization } from './authorization'
import { issueCode } from './code'
import { oauthIssuer } from './issuer'
import { parseRedirectUri, redirectWith } from './redirect-uri'
import type { ConsentRequest, OAuthFields, RedirectTarget } from './shape'

function targetOf(redirectUri: string): RedirectTarget {
  const target = parseRedirectUri(redirectUri)
  if (!target) throw new Error('a registered redirect URI is not valid')
  return target
}

/** What the consent page asks. Throws an OAuth refusal. */
export async function describeConsent(ownerId: number, fields: OAuthFields): Promise<ConsentRequest> {
  const request = await readAuthorization(fields)
  const { client, redirectUri, scopes } = request
  return {
    kind: 'ask',
    clientName: client.name,
    publishedAt: client.publishedAt,
    redirect: targetOf(redirectUri),
    wants: { llm: scopes.includes('llm'), agent: scopes.includes('agent') },
    connected: await listClientKeys(ownerId),
    denyTo: errorRedirect(request, 'access_denied', 'The owner of the account did not allow this.'),
  }
}

/** What an owner allows: a key without a name, which always has a budget. */
export const AllowedSettings = NewKey.omit({ name: true, externalId: true }).extend({
  budget: NewKey.shape.budget.unwrap().unwrap(),
})

/** The name of a client's key. */
const keyNameOf = ({ client }: AuthorizationRequest): string => `${client.name} via OAuth`

/**
 * Allows a client what the owner chose. Returns where the browser takes the code. Throws an OAuth
 * refusal, or `invalid_request` for invalid settings.
 */
export async function allowClient(
  by: { ownerId: number; personId: number | null },
  { request: fields, settings }: { request: OAuthFields; settings: Omit<NewKey, 'name'> },
  known: KnownNames,
): Promise<string> {
  const request = await readAuthorization(fields)
  const { client, redirectUri, challenge, state } = request
  const key = { ...settings, name: keyNameOf(request) }
  checkKeySettings(key, known)
  const grant = { ...by, clientId: client.id, clientName: client.name, redirectUri, challenge, settings: key }
  const code = await inAct(async (tx) => {
    if (isUuid(client.id))
      await tx.oAuthClient.updateMany({ where: { id: client.id }, data: { allowedAt: new Date() } })
    return issueCode(tx, grant)
  })
  return redirectWith(redirectUri, { code, state, iss: oauthIssuer() })
}
