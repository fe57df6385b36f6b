import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@/server/api/router'

type Security = inferRouterOutputs<AppRouter>['security']

export type FactorOverview = Security['overview']
export type PasskeyRow = FactorOverview['passkeys'][number]
export type ProofChoices = Security['proofs']
export type IssuerLinkView = NonNullable<inferRouterOutputs<AppRouter>['issuer']['link']>

/** What an authenticator answered, as the server reads it. */
export type AuthenticatorAnswer = {
  id: string
  rawId: string
  type: 'public-key'
  response: { clientDataJSON: string; [more: string]: unknown }
  clientExtensionResults: Record<string, unknown>
}
