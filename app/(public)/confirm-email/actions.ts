'use server'

import { headers } from 'next/headers'
import type { ConfirmAction } from '@/components/shell/confirm-form'
import { server } from '../../server'
import { formText, refusedForm } from '../form-state'

export const confirmAction: ConfirmAction = async (_before, form) => {
  try {
    return { confirmed: (await server().confirmAddress(formText(form, 'token'), await headers())).email }
  } catch (error) {
    return { error: refusedForm(error).error }
  }
}
