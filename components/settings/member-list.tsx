'use client'

import { useMutation } from '@tanstack/react-query'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { type ShownBudget, WINDOWS } from '../budgets/shape'
import { May, useMay } from '../shell/role'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Credits } from '../ui/amount'
import { Badge } from '../ui/badge'
import { Button } from '../ui/button'
import { Select } from '../ui/field'
import { TimeAgo } from '../ui/time-ago'
import { type RoleChoice, RoleOptions } from './invite-form'
import type { MemberView } from './shape'

type RowProps = {
  member: MemberView
  roles: readonly RoleChoice[]
  isSelf: boolean
  /** There are others. */
  isShared: boolean
  /** Those that are of this member, alone or with others. */
  budgets: readonly ShownBudget[]
  onDone: () => void
}

const LINK = 'text-accent underline underline-offset-2'

/** What a member may spend, by each budget of them, and where one is set. */
const MemberBudgets = ({
  personId,
  email,
  budgets,
}: {
  personId: number
  email: string
  budgets: RowProps['budgets']
}) => (
  <ul className="flex flex-wrap gap-x-4 gap-y-1 text-caption text-muted">
    {budgets.map(({ id, name, credits, window, spent, held }) => (
      <li key={id}>
        <Link href={`/budgets/${id}`} prefetch={false} className={LINK}>
          {name}
        </Link>
        : <Credits value={spent + held} /> of <Credits value={credits} unit /> {WINDOWS[window]}
      </li>
    ))}
    <May to="budgets.create">
      <li>
        <Link
          href={`/budgets/new?member=${personId}`}
          prefetch={false}
          className={LINK}
          aria-label={`Set a budget for ${email}`}
        >
          Set a budget
        </Link>
      </li>
    </May>
  </ul>
)

/** One member: the role, and taking them out of the account. */
function MemberRow({ member, roles, isSelf, isShared, budgets, onDone }: RowProps) {
  const { personId, email, name, role, byGroups, hasFactor, joinedAt } = member
  const trpc = useTRPC().members
  const [isConfirming, setConfirming] = useState(false)
  const change = useMutation(trpc.changeRole.mutationOptions({ onSuccess: onDone }))
  const remove = useMutation(trpc.remove.mutationOptions({ onSuccess: onDone }))
  // Only owners give the role, so only they may take it.
  const mayChange = useMay('members.changeRole') && roles.some((choice) => choice.role === role)
  const give = (value: string) => {
    const chosen = roles.find((choice) => choice.role === value)
    if (chosen) change.mutate({ personId, role: chosen.role })
  }
  return (
    <li className="grid gap-2 px-3 py-2.5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2 font-medium">
            <span className="[overflow-wrap:anywhere]">{name ?? email}</span>
            {isSelf && <Badge tone="good">You</Badge>}
          </p>
          <p className="text-caption text-muted">
            {name && <span className="[overflow-wrap:anywhere]">{email} · </span>}
            {hasFactor ? 'Second factor' : 'No second factor'} · Joined <TimeAgo at={joinedAt} />
            {byGroups && ' · Role by group'}
          </p>
        </div>
        <div className="flex items-center gap-2">
          {mayChange ? (
            <Select
              aria-label={`Role of ${email}`}
              value={change.isPending ? change.variables.role : role}
              disabled={change.isPending}
              onChange={(event) => give(event.target.value)}
              className="w-32 capitalize"
            >
              <RoleOptions roles={roles} />
            </Select>
          ) : (
            <span className="capitalize">{role}</span>
          )}
          {mayChange && !isSelf && !isConfirming && (
            <Button size="small" kind="danger" aria-label={`Remove ${email}`} onClick={() => setConfirming(true)}>
              Remove…
            </Button>
          )}
        </div>
      </div>
      {(isShared || budgets.length > 0) && <MemberBudgets personId={personId} email={email} budgets={budgets} />}
      {isConfirming && (
        <div className="flex flex-wrap items-center gap-2">
          <span className="text-table">
            Remove <span className="[overflow-wrap:anywhere]">{email}</span>? Their sessions here and management keys
            end; the account’s other keys, runs and schedules stay.
          </span>
          <Button size="small" kind="destroy" busy={remove.isPending} onClick={() => remove.mutate({ personId })}>
            Remove member
          </Button>
          <Button size="small" onClick={() => setConfirming(false)}>
            Cancel
          </Button>
        </div>
      )}
      <ActionError error={change.error ?? remove.error} kept="Nothing was changed." unsure="Reload the page to see." />
    </li>
  )
}

type Props = {
  members: readonly MemberView[]
  roles: readonly RoleChoice[]
  self: string
  budgets: readonly ShownBudget[]
}

/** Who belongs to the account. */
export function MemberList({ members, roles, self, budgets }: Props) {
  const router = useRouter()
  return (
    <ul aria-label="Members" className="divide-y rounded border bg-raised">
      {members.map((member) => (
        <MemberRow
          key={member.personId}
          member={member}
          roles={roles}
          isSelf={member.email === self}
          isShared={members.length > 1}
          budgets={budgets.filter(({ scope }) => scope.members?.includes(member.personId))}
          onDone={() => router.refresh()}
        />
      ))}
    </ul>
  )
}
