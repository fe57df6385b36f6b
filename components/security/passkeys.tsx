'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useSyncExternalStore } from 'react'
import { useTRPC, useTRPCClient } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { Field, Input } from '../ui/field'
import { Notice } from '../ui/page'
import { TimeAgo } from '../ui/time-ago'
import { makePasskey, passkeyErrorText } from './passkey-browser'
import type { FactorChange } from './second-factor-settings'
import type { PasskeyRow } from './shape'

function AddedPasskey({ of, onChange }: { of: PasskeyRow; onChange: FactorChange }) {
  const remove = useMutation(useTRPC().security.removePasskey.mutationOptions({ onSuccess: () => onChange(null) }))
  return (
    <li className="grid gap-2 px-3 py-2.5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <p className="break-words font-medium">{of.name}</p>
          <p className="text-caption text-muted">
            Added <TimeAgo at={of.createdAt} /> ·{' '}
            {of.usedAt ? (
              <>
                Last used <TimeAgo at={of.usedAt} />
              </>
            ) : (
              'Never used'
            )}
          </p>
        </div>
        <Button
          size="small"
          kind="danger"
          busy={remove.isPending}
          aria-label={`Remove ${of.name}`}
          onClick={() => remove.mutate({ id: of.id })}
        >
          Remove
        </Button>
      </div>
      <ActionError error={remove.error} kept="The passkey stays." unsure="Reload the page to see." />
    </li>
  )
}

const never = () => () => undefined

/** Where passkeys work, when that is not here. */
const useOtherOrigin = (origin: string | null): string | null =>
  useSyncExternalStore(
    never,
    () => (origin !== null && window.location.origin !== origin ? origin : null),
    () => null,
  )

function AddPasskey({ onChange }: { onChange: FactorChange }) {
  const { security } = useTRPCClient()
  const add = useMutation({
    mutationFn: async (name: string) => {
      const response = await makePasskey(await security.beginPasskey.mutate())
      return security.addPasskey.mutate({ name, response })
    },
    onSuccess: ({ recoveryCodes }) => onChange(recoveryCodes),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    add.mutate(String(new FormData(event.currentTarget).get('name') ?? ''))
  }
  const spoken = add.error && passkeyErrorText(add.error)
  return (
    <form onSubmit={submit} className="grid gap-3">
      <div className="flex flex-wrap items-end gap-2">
        <Field label="Name of a new passkey" className="w-60 max-w-full">
          {(control) => <Input {...control} name="name" maxLength={60} placeholder="Laptop" required />}
        </Field>
        <Button type="submit" busy={add.isPending}>
          Add passkey
        </Button>
      </div>
      {spoken ? (
        <Notice tone="bad">{spoken}</Notice>
      ) : (
        <ActionError error={add.error} kept="No passkey was added." unsure="Reload the page to see." />
      )}
    </form>
  )
}

type Props = { passkeys: readonly PasskeyRow[]; origin: string | null; onChange: FactorChange }

/** The passkeys of an owner, and another one. */
export function Passkeys({ passkeys, origin, onChange }: Props) {
  const elsewhere = useOtherOrigin(origin)
  return (
    <div className="grid gap-3">
      <p className="text-muted">
        Signs you in by fingerprint, face or PIN of a device, or by a security key, and only on this site.
      </p>
      {passkeys.length > 0 && (
        <ul className="divide-y rounded border bg-raised" aria-label="Passkeys">
          {passkeys.map((passkey) => (
            <AddedPasskey key={passkey.id} of={passkey} onChange={onChange} />
          ))}
        </ul>
      )}
      {origin === null && <p className="text-muted">Not available: PUBLIC_URL is not a domain with https.</p>}
      {elsewhere !== null && (
        <p className="text-muted">
          Passkeys work at{' '}
          <a href={`${elsewhere}/settings/security`} className="text-accent underline underline-offset-2">
            {elsewhere}
          </a>
          , not at this address.
        </p>
      )}
      {origin !== null && elsewhere === null && <AddPasskey onChange={onChange} />}
    </div>
  )
}
