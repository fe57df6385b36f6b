'use server'

import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import type { AuthFormAction, AuthFormState } from '@/components/shell/auth-form'
import { localPath } from '@/components/shell/local-path'
import type { SessionCookie } from '@/server/accounts/session'
import { IdentityProviderId } from '@/server/accounts/shape'
import type { SignInCookie } from '@/server/api/auth'
import { server } from '../server'

type Authenticate = (input: { email: string; password: string }, headers: Headers) => Promise<SignInCookie>

const textOf = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

async function setCookie({ name, value, options }: SessionCookie): Promise<void> {
  const jar = await cookies()
  jar.set(name, value, options)
}

/** An error for the form: at its field if it has one, else above the form. */
function toFormState(error: unknown, email: string): AuthFormState {
  const refusal = server().refusalOf(error)
  if (!refusal) {
    server().log.error({ err: (error as Error).message }, 'signing in or up failed')
    return { email, error: 'An internal error occurred. Nothing was changed. Try again.' }
  }
  const { message, issues } = refusal
  if (issues.length === 0) return { email, error: message }
  return { email, fields: Object.fromEntries(issues.toReversed().map(({ path, message }) => [path, message])) }
}

async function submit(authenticate: Authenticate, form: FormData): Promise<AuthFormState> {
  const email = textOf(form, 'email')
  const next = localPath(form.get('next'), '/overview')
  let awaitsFactor = false
  try {
    const sent = await headers()
    const cookie = await authenticate({ email, password: textOf(form, 'password') }, sent)
    awaitsFactor = cookie.awaitsFactor === true
    await setCookie(cookie)
    if (!awaitsFactor) await setCookie(server().rememberDevice(email, sent))
  } catch (error) {
    return toFormState(error, email)
  }
  redirect(awaitsFactor ? `/signin/second-factor?next=${encodeURIComponent(next)}` : next)
}

export const signInAction: AuthFormAction = async (_before, form) => submit(server().signInWithPassword, form)

export const signUpAction: AuthFormAction = async (_before, form) => submit(server().signUpWithPassword, form)

export async function signOutAction(everywhere: boolean): Promise<void> {
  await setCookie(await server().signOut(await headers(), { everywhere: everywhere === true }))
  redirect('/signin')
}

/** Redirects to a provider, with the cookies that its callback needs. */
export async function providerAction(form: FormData): Promise<void> {
  const provider = IdentityProviderId.parse(form.get('provider'))
  const next = localPath(form.get('next'), '/overview')
  const started = await server().startProviderSignIn(provider, next, await headers())
  const jar = await cookies()
  for (const { name, value, options } of started.cookies ?? []) jar.set(name, value, options)
  redirect(started.redirect ?? '/signin?error=OAuthSignInError')
}
