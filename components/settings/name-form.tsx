'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { FormEvent } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { Field, Input } from '../ui/field'
import { Notice } from '../ui/page'

/** What the account is called. */
export function NameForm({ name }: { name: string | null }) {
  const router = useRouter()
  const rename = useMutation(useTRPC().account.rename.mutationOptions({ onSuccess: () => router.refresh() }))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    rename.mutate({ name: String(new FormData(event.currentTarget).get('name') ?? '') })
  }
  return (
    <form onSubmit={submit} onChange={() => rename.isSuccess && rename.reset()} className="grid max-w-96 gap-3">
      <Field label="Name" hint="You, or your team">
        {(control) => <Input {...control} name="name" defaultValue={name ?? ''} autoComplete="name" maxLength={100} />}
      </Field>
      <ActionError error={rename.error} kept="Nothing was changed." unsure="Reload the page to see the name." />
      <div className="flex items-center gap-3">
        <Button type="submit" busy={rename.isPending}>
          Save name
        </Button>
        {rename.isSuccess && <Notice tone="good">Saved.</Notice>}
      </div>
    </form>
  )
}
