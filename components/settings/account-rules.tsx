'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { FormEvent } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { Field, Input } from '../ui/field'
import { Notice } from '../ui/page'

/** What the account is called in the list of accounts and in invitations. */
export function AccountNameForm({ name }: { name: string }) {
  const router = useRouter()
  const rename = useMutation(useTRPC().members.rename.mutationOptions({ onSuccess: () => router.refresh() }))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    rename.mutate({ name: String(new FormData(event.currentTarget).get('account') ?? '') })
  }
  return (
    <form onSubmit={submit} onChange={() => rename.isSuccess && rename.reset()} className="grid max-w-96 gap-3">
      <Field label="Name of the account">
        {(control) => <Input {...control} name="account" defaultValue={name} maxLength={100} />}
      </Field>
      <ActionError error={rename.error} kept="Nothing was changed." unsure="Reload the page to see the name." />
      <div className="flex items-center gap-3">
        <Button type="submit" busy={rename.isPending}>
          Save account name
        </Button>
        {rename.isSuccess && <Notice tone="good">Saved.</Notice>}
      </div>
    </form>
  )
}

type FactorRuleProps = { isOn: boolean; missing: number; isMine: boolean }

/** Whether every member must have a second factor. `isMine`: whoever looks at it has none here. */
export function FactorRule({ isOn, missing, isMine }: FactorRuleProps) {
  const router = useRouter()
  const change = useMutation(
    useTRPC().members.setRequiresFactor.mutationOptions({
      // Without one, also at the issuer, nothing but its own page can be reached from then on:
      // loaded anew, this one leads there.
      onSuccess: (isRequired) => (isRequired && isMine ? window.location.reload() : router.refresh()),
    }),
  )
  return (
    <div className="grid justify-items-start gap-3">
      <p role="status">
        {isOn ? 'Every member must have a second factor.' : 'Members may sign in without a second factor.'}
        {missing > 0 && ` ${missing} ${missing === 1 ? 'has' : 'have'} none${isOn ? ' yet' : ''}.`}
        {!isOn && isMine && ' You are among them, and add one next.'}
      </p>
      <Button size="small" busy={change.isPending} onClick={() => change.mutate({ isOn: !isOn })}>
        {isOn ? 'Stop requiring second factors' : 'Require second factors'}
      </Button>
      <ActionError error={change.error} kept="Nothing was changed." unsure="Reload the page to see what is set." />
    </div>
  )
}
