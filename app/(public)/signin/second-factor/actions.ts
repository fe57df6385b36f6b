'use server'

import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import type { FactorAction } from '@/components/shell/factor-form'
import { localPath } from '@/components/shell/local-path'
import type { PasskeyActions } from '@/components/shell/passkey-sign-in'
import type { SessionCookie } from '@/server/accounts/session'
import { server } from '../../../server'
import { formText, refusedForm } from '../../form-state'

async function setCookies(given: readonly SessionCookie[]): Promise<void> {
  const jar = await cookies()
  for (const { name, value, options } of given) jar.set(name, value, options)
}

export const giveCodeAction: FactorAction = async (_before, form) => {
  try {
    await setCookies(await server().giveFactorCode({ code: formText(form, 'code') }, await headers()))
  } catch (error) {
    return refusedForm(error)
  }
  redirect(localPath(form.get('next'), '/overview'))
}

const sentence = (error: unknown): { error: string } => {
  const { error: text, fields } = refusedForm(error)
  return { error: text ?? Object.values(fields ?? {})[0] ?? 'This did not work. Try again.' }
}

export const askPasskeyAction: PasskeyActions['ask'] = async (isSecond) => {
  try {
    return { asked: await server().askForPasskey(isSecond === true, await headers()) }
  } catch (error) {
    return sentence(error)
  }
}

export const givePasskeyAction: PasskeyActions['give'] = async ({ response, isSecond, next }) => {
  try {
    await setCookies(await server().givePasskey({ response, isSecond: isSecond === true }, await headers()))
  } catch (error) {
    return sentence(error)
  }
  redirect(localPath(next, '/overview'))
}
