'use client'

import { ChoiceLinks } from '../ui/choice-links'
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

/** Whether calls that ran or that were refused are listed, and how they ended. */
export const OwnerRequestsBar = ({ shown: { kind, status } }: { shown: ShownRequests }) => (
  <search aria-label="Filter requests" className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
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
  </search>
)
