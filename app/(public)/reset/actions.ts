'use server'

import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import type { ResetAction } from '@/components/shell/reset-form'
import { server } from '../../server'
import { formText, refusedForm } from '../form-state'

export const resetAction: ResetAction = async (_before, form) => {
  try {
    await server().setPasswordByLink(
      { token: formText(form, 'token'), password: formText(form, 'password') },
      await headers(),
    )
  } catch (error) {
    return refusedForm(error)
  }
  redirect('/signin?notice=password')
}
