'use client'

import { useActionState } from 'react'
import { Button } from '../ui/button'
import { Notice } from '../ui/page'

/** What became of a confirmation: the address that was confirmed, or why not. */
type ConfirmState = { confirmed?: string; error?: string }
export type ConfirmAction = (before: ConfirmState, form: FormData) => Promise<ConfirmState>

/** Confirms an e-mail address: opening the link alone does nothing. Works without JavaScript. */
export function ConfirmForm({ action, token, email }: { action: ConfirmAction; token: string; email: string }) {
  const [state, submit, busy] = useActionState(action, {})
  if (state.confirmed) return <Notice tone="good">{state.confirmed} is now the address of your account.</Notice>
  return (
    <form action={submit} className="grid gap-4">
      {state.error && !busy && <Notice tone="bad">{state.error}</Notice>}
      <input type="hidden" name="token" value={token} />
      <p>
        Use <span className="font-medium [overflow-wrap:anywhere]">{email}</span> to sign in from now on?
      </p>
      <Button type="submit" kind="primary" busy={busy}>
        Confirm e-mail address
      </Button>
    </form>
  )
}
