import {
  acceptInvitation,
  addressOfLink,
  canSendLinks,
  confirmAddress,
  findInvitation,
  findResetLink,
  forgotPassword,
  setPasswordByLink,
  signUpInvited,
} from '../api/account-links'
import {
  addressOfSignUpLink,
  askForPasskey,
  askToSignUp,
  giveFactorCode,
  givePasskey,
  hasPasskeys,
  openAccountByLink,
  rememberDevice,
  secondFactorChoices,
  signInOptions,
  signInWithPassword,
  signOut,
  signUpWithPassword,
  startProviderSignIn,
} from '../api/auth'
import { dashboardCaller, findSession, publicCaller } from '../api/caller'
import { readReference } from '../api/openapi/reference'
import { refusedActs } from '../api/operations'
import { refusalOf } from '../api/refusal'
import { env } from '../env'
import { siteOrigins } from '../env/site-hosting'
import { log } from '../kit/log'
import { APP_MOUNTS, MOUNTS } from './mounts'

/**
 * What `app/` may use of the server of its process: pages, server actions and route files import
 * nothing else.
 */
export const appServer = {
  dashboardCaller,
  publicCaller,
  findSession,
  signInOptions,
  signInWithPassword,
  signUpWithPassword,
  askToSignUp,
  addressOfSignUpLink,
  openAccountByLink,
  startProviderSignIn,
  rememberDevice,
  secondFactorChoices,
  giveFactorCode,
  hasPasskeys,
  askForPasskey,
  givePasskey,
  signOut,
  canSendLinks,
  forgotPassword,
  findResetLink,
  setPasswordByLink,
  addressOfLink,
  confirmAddress,
  findInvitation,
  acceptInvitation,
  signUpInvited,
  refusalOf,
  refusedActs,
  log,
  readReference,
  publicUrl: () => env().PUBLIC_URL,
  issuerOrigin: () => env().AUTH_OIDC_ISSUER && new URL(env().AUTH_OIDC_ISSUER ?? '').origin,
  siteOrigins,
  handlers: new Map([...MOUNTS, ...APP_MOUNTS]),
}

export type AppServer = typeof appServer

declare global {
  var tollgateServer: AppServer | undefined
}

/**
 * Makes this server the one that `app/` finds in this process. Next bundles `app/` on its own: what
 * `app/` imported would exist a second time, with its own connections and workers.
 */
export function provideAppServer(): void {
  globalThis.tollgateServer = appServer
}
