'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { Field, Input } from '../ui/field'
import { Notice } from '../ui/page'

/** Changes the password; every other browser is signed out. */
export function PasswordForm({ email }: { email: string }) {
  const form = useRef<HTMLFormElement>(null)
  const change = useMutation(
    useTRPC().account.changePassword.mutationOptions({ onSuccess: () => form.current?.reset() }),
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    change.mutate({ current: String(data.get('current') ?? ''), password: String(data.get('password') ?? '') })
  }
  return (
    <form ref={form} onSubmit={submit} className="grid max-w-96 gap-3">
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <Field label="Current password" hint="Leave empty if you have only signed in through a provider">
        {(control) => (
          <Input {...control} name="current" type="password" autoComplete="current-password" maxLength={200} />
        )}
      </Field>
      <Field label="New password" hint="At least 10 characters">
        {(control) => (
          <Input
            {...control}
            name="password"
            type="password"
            autoComplete="new-password"
            minLength={10}
            maxLength={200}
            required
          />
        )}
      </Field>
      <ActionError
        error={change.error}
        kept="Your password is unchanged."
        unsure="Sign in again to see which password is valid."
      />
      <div className="flex items-center gap-3">
        <Button type="submit" busy={change.isPending}>
          Change password
        </Button>
        {change.isSuccess && <Notice tone="good">Changed. Every other browser was signed out.</Notice>}
      </div>
    </form>
  )
}
