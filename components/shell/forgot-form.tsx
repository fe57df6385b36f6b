'use client'

import { useActionState } from 'react'
import { Button } from '../ui/button'
import { Field, Input } from '../ui/field'
import { Notice } from '../ui/page'

/** What became of a request for a link: sent, if there is such an account, or why not. */
type ForgotState = { email: string; isSent?: boolean; error?: string; fields?: { email?: string } }
export type ForgotAction = (before: ForgotState, form: FormData) => Promise<ForgotState>

const TEXTS = {
  password: {
    hint: 'A link to set a new password is sent to it',
    sent: 'has an account here, a link is on its way. It works once, within an hour.',
    button: 'Send link',
  },
  account: {
    hint: 'A link to create the account is sent to it',
    sent: 'can have an account here, a link is on its way. It works once, within an hour.',
    button: 'Create account',
  },
}

/** Asks for the address that a link is sent to. Works without JavaScript. */
export function ForgotForm({ action, to = 'password' }: { action: ForgotAction; to?: keyof typeof TEXTS }) {
  const text = TEXTS[to]
  const [state, submit, busy] = useActionState(action, { email: '' })
  if (state.isSent) {
    return (
      <Notice tone="good">
        If {state.email} {text.sent} Look into the spam folder, too.
      </Notice>
    )
  }
  return (
    <form action={submit} className="grid gap-4" noValidate>
      {state.error && !busy && <Notice tone="bad">{state.error}</Notice>}
      <Field label="E-mail" hint={text.hint} error={state.fields?.email}>
        {(control) => (
          <Input
            {...control}
            name="email"
            type="email"
            autoComplete="username"
            defaultValue={state.email}
            required
            autoFocus
          />
        )}
      </Field>
      <Button type="submit" kind="primary" busy={busy}>
        {text.button}
      </Button>
    </form>
  )
}
