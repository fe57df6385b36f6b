'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import type { Role } from '@/server/accounts/shape'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { CopyBox } from '../ui/copy'
import { Field, Input, Select } from '../ui/field'
import { Notice } from '../ui/page'

/** A role that whoever is signed in may give, and what it is for. */
export type RoleChoice = { role: Role; note: string }

export const RoleOptions = ({ roles }: { roles: readonly RoleChoice[] }) =>
  roles.map(({ role, note }) => (
    <option key={role} value={role} title={note}>
      {role}
    </option>
  ))

/** Makes a link that lets somebody into the account. */
export function InviteForm({ sendsMail, roles }: { sendsMail: boolean; roles: readonly RoleChoice[] }) {
  const router = useRouter()
  const invite = useMutation(useTRPC().members.invite.mutationOptions({ onSuccess: () => router.refresh() }))
  const [chosen, setChosen] = useState<Role>('developer')
  const note = roles.find(({ role }) => role === chosen)?.note
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const email = String(form.get('email') ?? '').trim()
    invite.mutate({ role: chosen, email: email === '' ? null : email })
  }
  return (
    <form onSubmit={submit} className="grid max-w-[560px] gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Role" hint={note}>
          {(control) => (
            <Select
              {...control}
              name="role"
              value={chosen}
              onChange={({ target }) => setChosen(roles.find(({ role }) => role === target.value)?.role ?? 'viewer')}
              className="capitalize"
            >
              <RoleOptions roles={roles} />
            </Select>
          )}
        </Field>
        <Field
          label="E-mail address"
          hint={
            sendsMail
              ? 'The link is sent there; empty: it is shown to you'
              : 'Optional: whoever signs up by the link gets this address'
          }
        >
          {(control) => <Input {...control} name="email" type="email" autoComplete="off" maxLength={254} />}
        </Field>
      </div>
      <ActionError error={invite.error} kept="Nobody was invited." unsure="Reload the page to see open invitations." />
      {invite.data?.url && (
        <div className="grid gap-2" data-testid="invitation">
          <Notice tone="good">Pass this link on. It is shown this once, and works once, within seven days.</Notice>
          <CopyBox label="Link" code={invite.data.url} />
        </div>
      )}
      {invite.data && !invite.data.url && <Notice tone="good">The link was sent to {invite.data.email}.</Notice>}
      <div>
        <Button type="submit" kind="primary" busy={invite.isPending}>
          Invite member
        </Button>
      </div>
    </form>
  )
}
