'use client'

import { useActionState } from 'react'
import { Button } from '../ui/button'
import { Field, Input } from '../ui/field'
import { Notice } from '../ui/page'

/** Why signing in or up failed: a sentence, and errors by field. */
export type AuthFormState = { email: string; error?: string; fields?: { email?: string; password?: string } }
export type AuthFormAction = (before: AuthFormState, form: FormData) => Promise<AuthFormState>

type Props = { action: AuthFormAction; next: string; mode: 'in' | 'up'; error?: string; email?: string | null }

/** E-mail, unless it is known, and password, to sign in or up. Works without JavaScript. */
export function AuthForm({ action, next, mode, error, email }: Props) {
  const [state, submit, busy] = useActionState(action, { email: email ?? '', error })
  const isNew = mode === 'up'
  return (
    <form action={submit} className="grid gap-4" noValidate>
      {state.error && !busy && <Notice tone="bad">{state.error}</Notice>}
      <input type="hidden" name="next" value={next} />
      <Field label="E-mail" error={state.fields?.email}>
        {(control) => (
          <Input
            {...control}
            name="email"
            type="email"
            autoComplete="username"
            defaultValue={state.email}
            readOnly={email != null}
            required
            autoFocus
          />
        )}
      </Field>
      <Field label="Password" hint={isNew && 'At least 10 characters'} error={state.fields?.password}>
        {(control) => (
          <Input
            {...control}
            name="password"
            type="password"
            autoComplete={isNew ? 'new-password' : 'current-password'}
            maxLength={200}
            required
          />
        )}
      </Field>
      <Button type="submit" kind="primary" busy={busy}>
        {isNew ? 'Create account' : 'Sign in'}
      </Button>
    </form>
  )
}
