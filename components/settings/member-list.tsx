'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useMay } from '../shell/role'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Badge } from '../ui/badge'
import { Button } from '../ui/button'
import { Select } from '../ui/field'
import { TimeAgo } from '../ui/time-ago'
import { type RoleChoice, RoleOptions } from './invite-form'
import type { MemberView } from './shape'

type RowProps = { member: MemberView; roles: readonly RoleChoice[]; isSelf: boolean; onDone: () => void }

/** One member: the role, and taking them out of the account, or leaving it. */
function MemberRow({ member, roles, isSelf, onDone }: RowProps) {
  const { personId, email, name, role, byGroups, hasFactor, joinedAt } = member
  const trpc = useTRPC().members
  const [isConfirming, setConfirming] = useState(false)
  const change = useMutation(trpc.changeRole.mutationOptions({ onSuccess: onDone }))
  const remove = useMutation(trpc.remove.mutationOptions({ onSuccess: onDone }))
  const leave = useMutation(trpc.leave.mutationOptions({ onSuccess: () => window.location.assign('/overview') }))
  const [isOwner, isAdmin] = [useMay('owner'), useMay('admin')]
  const mayChange = isAdmin && (isOwner || role !== 'owner')
  const give = (value: string) => {
    const chosen = roles.find((choice) => choice.role === value)
    if (chosen) change.mutate({ personId, role: chosen.role })
  }
  const end = () => (isSelf ? leave.mutate() : remove.mutate({ personId }))
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
        <div className="flex flex-wrap items-center gap-2">
          {mayChange ? (
            <Select
              aria-label={`Role of ${email}`}
              value={change.isPending ? change.variables.role : role}
              disabled={change.isPending}
              onChange={(event) => give(event.target.value)}
            >
              <RoleOptions roles={roles} />
            </Select>
          ) : (
            <span>{role}</span>
          )}
          {(mayChange || isSelf) && !isConfirming && (
            <Button
              size="small"
              kind="danger"
              aria-label={isSelf ? 'Leave account' : `Remove ${email}`}
              onClick={() => setConfirming(true)}
            >
              {isSelf ? 'Leave…' : 'Remove…'}
            </Button>
          )}
        </div>
      </div>
      {isConfirming && (
        <div className="flex flex-wrap items-center gap-2">
          <span className="text-table">Sessions here and management keys end; the account’s other keys stay.</span>
          <Button size="small" kind="destroy" busy={remove.isPending || leave.isPending} onClick={end}>
            {isSelf ? 'Leave account' : 'Remove member'}
          </Button>
          <Button size="small" onClick={() => setConfirming(false)}>
            Cancel
          </Button>
        </div>
      )}
      <ActionError
        error={change.error ?? remove.error ?? leave.error}
        kept="Nothing was changed."
        unsure="Reload the page to see."
      />
    </li>
  )
}

type Props = { members: readonly MemberView[]; roles: readonly RoleChoice[]; self: string }

/** Who belongs to the account. */
export function MemberList({ members, roles, self }: Props) {
  const router = useRouter()
  return (
    <ul className="divide-y rounded border bg-raised">
      {members.map((member) => (
        <MemberRow
          key={member.personId}
          member={member}
          roles={roles}
          isSelf={member.email === self}
          onDone={() => router.refresh()}
        />
      ))}
    </ul>
  )
}
