'use client'

import { useActionState } from 'react'
import { Button } from '../ui/button'
import { Field, Input } from '../ui/field'
import { Notice } from '../ui/page'

/** Why a code was not taken. */
type FactorState = { error?: string; fields?: { code?: string } }
export type FactorAction = (before: FactorState, form: FormData) => Promise<FactorState>

/** The second factor as a code. Works without JavaScript. */
export function FactorForm({ action, next, hasApp }: { action: FactorAction; next: string; hasApp: boolean }) {
  const [state, submit, busy] = useActionState(action, {})
  return (
    <form action={submit} className="grid gap-4" noValidate>
      {state.error && !busy && <Notice tone="bad">{state.error}</Notice>}
      <input type="hidden" name="next" value={next} />
      <Field
        label={hasApp ? 'Code of your authenticator app' : 'Recovery code'}
        hint={hasApp && 'Or a recovery code'}
        error={state.fields?.code}
      >
        {(control) => (
          <Input
            {...control}
            name="code"
            autoComplete="one-time-code"
            maxLength={100}
            required
            autoFocus
            className="num"
          />
        )}
      </Field>
      <Button type="submit" kind="primary" busy={busy}>
        Sign in
      </Button>
    </form>
  )
}
