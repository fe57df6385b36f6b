'use client'

import { useActionState } from 'react'
import { Button } from '../ui/button'
import { Field, Input } from '../ui/field'
import { Notice } from '../ui/page'

/** Why a password was not set. */
type ResetState = { error?: string; fields?: { password?: string } }
export type ResetAction = (before: ResetState, form: FormData) => Promise<ResetState>

/** A new password for whoever has the link with this token. Works without JavaScript. */
export function ResetForm({
  action,
  token,
  label = 'Set password',
}: {
  action: ResetAction
  token: string
  label?: string
}) {
  const [state, submit, busy] = useActionState(action, {})
  return (
    <form action={submit} className="grid gap-4" noValidate>
      {state.error && !busy && <Notice tone="bad">{state.error}</Notice>}
      <input type="hidden" name="token" value={token} />
      <Field label="New password" hint="At least 10 characters" error={state.fields?.password}>
        {(control) => (
          <Input
            {...control}
            name="password"
            type="password"
            autoComplete="new-password"
            maxLength={200}
            required
            autoFocus
          />
        )}
      </Field>
      <Button type="submit" kind="primary" busy={busy}>
        {label}
      </Button>
    </form>
  )
}
