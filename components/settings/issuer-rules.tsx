'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type FormEvent, useRef } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { Field, Input, Select } from '../ui/field'
import { type RoleChoice, RoleOptions } from './invite-form'
import type { IssuerRulesView } from './shape'

type Row = { name: string; role: string }
type ListProps<R extends Row> = {
  label: string
  rows: readonly R[]
  roles: readonly RoleChoice[]
  isBusy: (row: R) => boolean
  onRole: (row: R, role: RoleChoice['role']) => void
  onRemove: (row: R) => void
}

/** Domains or groups, each with its role, which can be changed, and a button that removes it. */
function RoleRows<R extends Row>({ label, rows, roles, isBusy, onRole, onRemove }: ListProps<R>) {
  if (rows.length === 0) return null
  return (
    <ul aria-label={label} className="divide-y rounded border bg-raised">
      {rows.map((row) => {
        const mayChange = roles.some(({ role }) => role === row.role)
        return (
          <li key={row.name} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-3 py-2.5">
            <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{row.name}</span>
            {mayChange ? (
              <span className="flex items-center gap-2">
                <Select
                  className="w-36"
                  aria-label={`Role of ${row.name}`}
                  value={row.role}
                  disabled={isBusy(row)}
                  onChange={({ target }) => {
                    const chosen = roles.find(({ role }) => role === target.value)
                    if (chosen) onRole(row, chosen.role)
                  }}
                >
                  <RoleOptions roles={roles} />
                </Select>
                <Button
                  size="small"
                  kind="danger"
                  aria-label={`Remove ${row.name}`}
                  busy={isBusy(row)}
                  onClick={() => onRemove(row)}
                >
                  Remove
                </Button>
              </span>
            ) : (
              <span>{row.role}</span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

const REFUSED: Record<NonNullable<IssuerRulesView['refused']>, (name: string) => string> = {
  no_address: (name) =>
    `You can add the domain of your own address: sign in with ${name} once, which shows that you belong there.`,
  public: () => 'Anybody can have an address of the domain with which you signed in, so it lets nobody in.',
  taken: () => 'Another account has the domain with which you signed in. A domain belongs to one account.',
}

type Props = { rules: IssuerRulesView; roles: readonly RoleChoice[] }

function Domains({ rules, roles }: Props) {
  const router = useRouter()
  const trpc = useTRPC().issuer
  const save = useMutation(trpc.saveDomain.mutationOptions({ onSuccess: () => router.refresh() }))
  const remove = useMutation(trpc.removeDomain.mutationOptions({ onSuccess: () => router.refresh() }))
  const { name, domains, claimable, refused } = rules
  const joiners = roles.filter(({ role }) => role !== 'owner')
  const isBusy = (of: string) =>
    (save.isPending && save.variables.domain === of) || (remove.isPending && remove.variables.domain === of)
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget).get('role')
    const role = joiners.find((choice) => choice.role === given)?.role
    if (claimable !== null && role && role !== 'owner') save.mutate({ domain: claimable, role })
  }
  return (
    <div className="grid gap-3">
      <p className="max-w-prose text-muted">
        {domains.length > 0
          ? `Whoever signs in with ${name} and a verified address of a domain joins this account.`
          : `With a domain, everybody of your organisation who signs in with ${name} joins this account.`}
      </p>
      <RoleRows
        label="Domains"
        rows={domains.map((row) => ({ name: row.domain, ...row }))}
        roles={joiners}
        isBusy={(row) => isBusy(row.domain)}
        onRole={({ domain }, role) => role !== 'owner' && save.mutate({ domain, role })}
        onRemove={({ domain }) => remove.mutate({ domain })}
      />
      {claimable !== null && (
        <form onSubmit={add} className="flex flex-wrap items-end gap-3">
          <Field label={`Role of people of ${claimable}`}>
            {(control) => (
              <Select {...control} name="role" defaultValue="developer">
                <RoleOptions roles={joiners} />
              </Select>
            )}
          </Field>
          <Button type="submit" busy={isBusy(claimable)}>
            Add {claimable}
          </Button>
        </form>
      )}
      {refused && <p className="max-w-prose text-muted">{REFUSED[refused](name)}</p>}
      <ActionError
        error={save.error ?? remove.error}
        kept="Nothing was changed."
        unsure="Reload the page to see the domains."
      />
    </div>
  )
}

function Groups({ rules: { name, groups }, roles }: Props) {
  const router = useRouter()
  const form = useRef<HTMLFormElement>(null)
  const trpc = useTRPC().issuer
  const save = useMutation(trpc.saveGroup.mutationOptions({ onSuccess: () => router.refresh() }))
  const remove = useMutation(trpc.removeGroup.mutationOptions({ onSuccess: () => router.refresh() }))
  const isBusy = (of: string) =>
    (save.isPending && save.variables.group === of) || (remove.isPending && remove.variables.group === of)
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const role = roles.find((choice) => choice.role === given.get('role'))?.role
    if (role) save.mutate({ group: String(given.get('group') ?? ''), role }, { onSuccess: () => form.current?.reset() })
  }
  return (
    <div className="grid gap-3">
      <p className="max-w-prose text-muted">
        Who joined by a domain gets the role of their group at {name} at each sign-in, the highest of several; without
        one, that of the domain. A role that you give by hand stays.
      </p>
      <RoleRows
        label="Groups"
        rows={groups.map((row) => ({ name: row.group, ...row }))}
        roles={roles}
        isBusy={(row) => isBusy(row.group)}
        onRole={({ group }, role) => save.mutate({ group, role })}
        onRemove={({ group }) => remove.mutate({ group })}
      />
      <form ref={form} onSubmit={add} className="grid max-w-[560px] gap-3">
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label={`Group at ${name}`}>
            {(control) => <Input {...control} name="group" autoComplete="off" maxLength={200} required />}
          </Field>
          <Field label="Role of its people">
            {(control) => (
              <Select {...control} name="role" defaultValue="developer">
                <RoleOptions roles={roles} />
              </Select>
            )}
          </Field>
        </div>
        <ActionError
          error={save.error ?? remove.error}
          kept="Nothing was changed."
          unsure="Reload the page to see the groups."
        />
        <div>
          <Button type="submit" busy={save.isPending}>
            Add group
          </Button>
        </div>
      </form>
    </div>
  )
}

/** Who joins the account by signing in through the issuer, and with which role. */
export const IssuerRulesForm = (props: Props) => (
  <div className="grid gap-6">
    <Domains {...props} />
    <Groups {...props} />
  </div>
)
