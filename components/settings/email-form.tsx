'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type FormEvent, useRef, useState } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { Field, Input } from '../ui/field'
import { Notice } from '../ui/page'

type Props = { email: string; confirmsEmail: boolean }

/** Changes the e-mail address, where possible by a link to the new address. */
export function EmailForm({ email, confirmsEmail }: Props) {
  const router = useRouter()
  const form = useRef<HTMLFormElement>(null)
  const [asked, setAsked] = useState('')
  const change = useMutation(
    useTRPC().account.changeEmail.mutationOptions({
      onSuccess: () => {
        form.current?.reset()
        router.refresh()
      },
    }),
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const wanted = String(new FormData(event.currentTarget).get('email') ?? '')
    setAsked(wanted)
    change.mutate({ email: wanted })
  }
  return (
    <form ref={form} onSubmit={submit} className="grid max-w-96 gap-3">
      <p className="text-muted">
        Your address is <span className="font-medium text-text [overflow-wrap:anywhere]">{email}</span>.
      </p>
      <Field label="New e-mail address" hint={confirmsEmail && 'It changes once you open the link that is sent to it'}>
        {(control) => <Input {...control} name="email" type="email" autoComplete="email" maxLength={254} required />}
      </Field>
      <ActionError
        error={change.error}
        kept="Your address is unchanged."
        unsure="Reload the page to see your address."
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" busy={change.isPending}>
          Change e-mail address
        </Button>
      </div>
      {change.isSuccess && (
        <Notice tone="good">
          {change.data.isChanged
            ? 'Changed. Sign in with the new address from now on.'
            : `If ${asked} can be used, a link is on its way to it. Open it within an hour.`}
        </Notice>
      )}
    </form>
  )
}
