'use server'

import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import type { ForgotAction } from '@/components/shell/forgot-form'
import type { ResetAction } from '@/components/shell/reset-form'
import { server } from '../../../server'
import { formText, refusedForm } from '../../form-state'

export const askToSignUpAction: ForgotAction = async (_before, form) => {
  const email = formText(form, 'email').trim()
  try {
    await server().askToSignUp({ email }, await headers())
    return { email, isSent: true }
  } catch (error) {
    return { email, ...refusedForm(error) }
  }
}

export const openAccountAction: ResetAction = async (_before, form) => {
  const given = { token: formText(form, 'token'), password: formText(form, 'password') }
  try {
    const jar = await cookies()
    for (const { name, value, options } of await server().openAccountByLink(given, await headers()))
      jar.set(name, value, options)
  } catch (error) {
    return refusedForm(error)
  }
  redirect('/overview')
}
