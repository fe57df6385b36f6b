import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@/server/api/router'

type Settings = inferRouterOutputs<AppRouter>['settings']
type Account = inferRouterOutputs<AppRouter>['account']

export type SavedAgentSettings = Settings['get']
export type WebhookSecretView = Settings['webhookSecret']
export type AgentSettingsChoices = Settings['choices']
export type RequestLogChoice = Settings['requestLog']
export type OwnDeletionView = Account['deletion']
export type SignedInBrowser = Account['sessions'][number]

type Members = inferRouterOutputs<AppRouter>['members']
export type MemberView = Members['list'][number]
export type InvitationView = Members['invitations'][number]

type Issuer = inferRouterOutputs<AppRouter>['issuer']
export type IssuerRulesView = NonNullable<Issuer['rules']>
