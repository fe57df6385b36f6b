'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type FormEvent, useRef } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { Field, Input } from '../ui/field'
import { Notice } from '../ui/page'

/**
 * Changes the password, or sets the first one of an owner who came through a provider; every other
 * browser is signed out.
 */
export function PasswordForm({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  const router = useRouter()
  const form = useRef<HTMLFormElement>(null)
  const change = useMutation(
    useTRPC().account.changePassword.mutationOptions({
      onSuccess: () => {
        form.current?.reset()
        router.refresh()
      },
    }),
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    change.mutate({ current: String(data.get('current') ?? ''), password: String(data.get('password') ?? '') })
  }
  return (
    <form ref={form} onSubmit={submit} className="grid max-w-96 gap-3">
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      {hasPassword ? (
        <Field label="Current password">
          {(control) => (
            <Input
              {...control}
              name="current"
              type="password"
              autoComplete="current-password"
              maxLength={200}
              required
            />
          )}
        </Field>
      ) : (
        <p className="text-muted">You sign in through a provider. With a password you can sign in without it, too.</p>
      )}
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
          {hasPassword ? 'Change password' : 'Set password'}
        </Button>
        {change.isSuccess && <Notice tone="good">Saved. Every other browser was signed out.</Notice>}
      </div>
    </form>
  )
}
