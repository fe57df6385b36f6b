'use server'

import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import type { AuthFormState } from '@/components/shell/auth-form'
import type { JoinState } from '@/components/shell/join-form'
import { server } from '../../server'
import { formText, refusedForm } from '../form-state'

/** Joins as whoever is signed in. */
export async function joinAction(token: string): Promise<JoinState> {
  try {
    await server().acceptInvitation(token, await headers())
  } catch (error) {
    return { error: refusedForm(error).error }
  }
  redirect('/overview')
}

/** Joins as a new person, who chooses a password, and an address where the link has none. */
export async function signUpInvitedAction(
  token: string,
  _before: AuthFormState,
  form: FormData,
): Promise<AuthFormState> {
  const email = formText(form, 'email')
  try {
    const jar = await cookies()
    const given = { token, email, password: formText(form, 'password') }
    for (const { name, value, options } of await server().signUpInvited(given, await headers()))
      jar.set(name, value, options)
  } catch (error) {
    return { email, ...refusedForm(error) }
  }
  redirect('/overview')
}
