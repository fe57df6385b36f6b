'use server'

import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import type { AuthFormAction, AuthFormState } from '@/components/shell/auth-form'
import { localPath } from '@/components/shell/local-path'
import type { SessionCookie } from '@/server/accounts/session'
import { IdentityProviderId } from '@/server/accounts/shape'
import type { SignInCookie } from '@/server/api/auth'
import { server } from '../server'
import { formText, refusedForm } from './form-state'

type Authenticate = (input: { email: string; password: string }, headers: Headers) => Promise<SignInCookie>

async function setCookie({ name, value, options }: SessionCookie): Promise<void> {
  const jar = await cookies()
  jar.set(name, value, options)
}

async function submit(authenticate: Authenticate, form: FormData): Promise<AuthFormState> {
  const email = formText(form, 'email')
  const next = localPath(form.get('next'), '/overview')
  let awaitsFactor = false
  try {
    const sent = await headers()
    const cookie = await authenticate({ email, password: formText(form, 'password') }, sent)
    awaitsFactor = cookie.awaitsFactor === true
    await setCookie(cookie)
    if (!awaitsFactor) await setCookie(server().rememberDevice(email, sent))
  } catch (error) {
    return { email, ...refusedForm(error) }
  }
  redirect(awaitsFactor ? `/signin/second-factor?next=${encodeURIComponent(next)}` : next)
}

export const signInAction: AuthFormAction = async (_before, form) => submit(server().signInWithPassword, form)

export const signUpAction: AuthFormAction = async (_before, form) => submit(server().signUpWithPassword, form)

export async function signOutAction(everywhere: boolean): Promise<void> {
  await setCookie(await server().signOut(await headers(), { everywhere: everywhere === true }))
  redirect('/signin')
}

/**
 * Redirects to a provider, with the cookies that its callback needs; with `anew`, to sign in there
 * again.
 */
export async function providerAction(form: FormData): Promise<void> {
  const provider = IdentityProviderId.parse(form.get('provider'))
  const next = localPath(form.get('next'), '/overview')
  const anew = form.get('anew') !== null
  const started = await server().startProviderSignIn({ provider, next, anew }, await headers())
  const jar = await cookies()
  for (const { name, value, options } of started.cookies ?? []) jar.set(name, value, options)
  redirect(started.redirect ?? '/signin?error=OAuthSignInError')
}
