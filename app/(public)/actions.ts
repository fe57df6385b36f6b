'use server'

import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import type { AuthFormAction, AuthFormState } from '@/components/shell/auth-form'
import type { SessionCookie } from '@/server/accounts/session'
import { IdentityProviderId } from '@/server/accounts/shape'
import { rememberDevice, signInWithPassword, signOut, signUpWithPassword, startProviderSignIn } from '@/server/api/auth'
import { type Issue, isAppError } from '@/server/errors'
import { localPath } from '@/server/kit/local-path'
import { log } from '@/server/kit/log'

type Authenticate = (input: { email: string; password: string }, headers: Headers) => Promise<SessionCookie>

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
  if (!isAppError(error)) {
    log.error({ err: (error as Error).message }, 'signing in or up failed')
    return { email, error: 'An internal error occurred. Nothing was changed. Try again.' }
  }
  const issues = (error.detail.issues ?? []) as Issue[]
  if (issues.length === 0) return { email, error: error.message }
  return { email, fields: Object.fromEntries(issues.reverse().map(({ path, message }) => [path, message])) }
}

async function submit(authenticate: Authenticate, form: FormData): Promise<AuthFormState> {
  const email = textOf(form, 'email')
  try {
    const sent = await headers()
    await setCookie(await authenticate({ email, password: textOf(form, 'password') }, sent))
    await setCookie(rememberDevice(email, sent))
  } catch (error) {
    return toFormState(error, email)
  }
  redirect(localPath(form.get('next'), '/overview'))
}

export const signInAction: AuthFormAction = async (_before, form) => submit(signInWithPassword, form)

export const signUpAction: AuthFormAction = async (_before, form) => submit(signUpWithPassword, form)

export async function signOutAction(everywhere: boolean): Promise<void> {
  await setCookie(await signOut(await headers(), { everywhere: everywhere === true }))
  redirect('/signin')
}

/** Redirects to a provider, with the cookies that its callback needs. */
export async function providerAction(form: FormData): Promise<void> {
  const provider = IdentityProviderId.parse(form.get('provider'))
  const next = localPath(form.get('next'), '/overview')
  const started = await startProviderSignIn(provider, next, await headers())
  const jar = await cookies()
  for (const { name, value, options } of started.cookies ?? []) jar.set(name, value, options)
  redirect(started.redirect ?? '/signin?error=OAuthSignInError')
}
