'use server'

import { headers } from 'next/headers'
import type { ForgotAction } from '@/components/shell/forgot-form'
import { server } from '../../server'
import { formText, refusedForm } from '../form-state'

export const forgotAction: ForgotAction = async (_before, form) => {
  const email = formText(form, 'email').trim()
  try {
    await server().forgotPassword({ email }, await headers())
    return { email, isSent: true }
  } catch (error) {
    return { email, ...refusedForm(error) }
  }
}
