'use client'

import { useRouter } from 'next/navigation'
import { useTransition } from 'react'
import { KeyPicker } from '../keys/key-picker'
import { ChoiceLinks } from '../ui/choice-links'
import { urlWith } from '../ui/list-url'
import { REFUSED_STATUSES, RUN_STATUSES, type ShownRequests } from './owner-requests'

const KINDS = [
  ['ran', 'Ran'],
  ['refused', 'Refused'],
] as const

const STATUS_WORDS = {
  ok: 'Succeeded',
  failed: 'Failed',
  void: 'Provider not called',
  expired: 'Process lost',
} as const

const RAN = [[null, 'All'] as const, ...RUN_STATUSES.map((status) => [status, STATUS_WORDS[status]] as const)]
const REFUSED = [[null, 'All'] as const, ...REFUSED_STATUSES.map((status) => [String(status), String(status)] as const)]

type Props = { ownerId: number; shown: ShownRequests; keyName?: string }

/** Whether calls that ran or that were refused are listed, how they ended, and of which key. */
export function OwnerRequestsBar({ ownerId, shown: { kind, status, keyId }, keyName }: Props) {
  const router = useRouter()
  const [busy, start] = useTransition()
  const path = `/operators/owners/${ownerId}/requests`
  const show = (key: { id: number } | null) =>
    start(() => router.push(urlWith(path, { kind: kind === 'ran' ? undefined : kind, status, keyId: key?.id })))
  return (
    <search aria-label="Filter requests" aria-busy={busy} className="mb-4 flex flex-wrap items-end gap-x-4 gap-y-2">
      <ChoiceLinks
        label="Requests that"
        choices={KINDS}
        now={kind}
        set={(id) => ({ kind: id === 'ran' ? null : id, status: null })}
      />
      <ChoiceLinks<string | null>
        label="Status"
        choices={kind === 'refused' ? REFUSED : RAN}
        now={status === undefined ? null : String(status)}
        set={(id) => ({ status: id })}
      />
      <div className="w-64 max-w-full">
        <KeyPicker label="Key" none="All keys" ofOwner={ownerId} name={keyName} value={keyId ?? null} onChange={show} />
      </div>
    </search>
  )
}
