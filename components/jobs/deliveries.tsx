'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleDashed, CircleX, type LucideIcon } from 'lucide-react'
import { useEffect } from 'react'
import type { JobStatus } from '@/server/agent/shape'
import { May } from '../shell/role'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Badge, type Tone } from '../ui/badge'
import { Button } from '../ui/button'
import { Section } from '../ui/page'
import { TimeAgo } from '../ui/time-ago'
import { deliveryOutcome, deliveryTitle } from './delivery-text'
import type { JobDelivery } from './shape'

const PENDING_MS = 3_000
const LIMIT = 20

const STATUS: Record<JobDelivery['status'], { word: string; tone: Tone; icon: LucideIcon }> = {
  pending: { word: 'Pending', tone: 'plain', icon: CircleDashed },
  delivered: { word: 'Delivered', tone: 'plain', icon: CircleCheck },
  failed: { word: 'Failed', tone: 'bad', icon: CircleX },
}

type RowProps = { jobId: string; delivery: JobDelivery; onSent: () => void }

function DeliveryRow({ jobId, delivery, onSent }: RowProps) {
  const send = useMutation(useTRPC().jobs.sendDelivery.mutationOptions({ onSettled: onSent }))
  const { word, tone, icon: Icon } = STATUS[delivery.status]
  const { url, answerBody, createdAt, nextAttemptAt, deliveryId } = delivery
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2 border-b px-3 py-2 text-table last:border-b-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={tone}>
          <Icon className="size-3" aria-hidden /> {word}
        </Badge>
        <span className="font-medium">{deliveryTitle(delivery)}</span>
        <TimeAgo at={createdAt} className="text-caption text-muted" />
        <May to="jobs.sendDelivery">
          <Button
            size="small"
            className="ml-auto"
            busy={send.isPending}
            aria-label={`Send again: ${deliveryTitle(delivery)}`}
            onClick={() => send.mutate({ jobId, deliveryId })}
          >
            Send again
          </Button>
        </May>
      </div>
      <p className="num text-caption text-muted [overflow-wrap:anywhere]">{url}</p>
      <p aria-live="polite">
        {deliveryOutcome(delivery)}
        {nextAttemptAt && delivery.attempts > 0 && (
          <>
            {' Next attempt '}
            <TimeAgo at={nextAttemptAt} />.
          </>
        )}
      </p>
      {answerBody && (
        <details>
          <summary className="cursor-pointer text-caption text-muted">Last answer</summary>
          <pre className="mt-1 max-h-40 overflow-auto rounded border bg-sunken p-2 text-caption whitespace-pre-wrap [overflow-wrap:anywhere]">
            {answerBody}
          </pre>
        </details>
      )}
      <ActionError error={send.error} kept="" unsure="The list shows the delivery's status in a moment." />
    </li>
  )
}

/** What a job's callback URLs were sent, with another attempt on demand. Nothing without any. */
export function Deliveries({ jobId, status }: { jobId: string; status: JobStatus }) {
  const { data, refetch } = useQuery({
    ...useTRPC().jobs.deliveries.queryOptions({ jobId, limit: LIMIT }),
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some((delivery) => delivery.status === 'pending') ? PENDING_MS : false,
  })
  // A change of status is what makes a new delivery.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each change of status
  useEffect(() => void refetch(), [status])
  if (!data || data.deliveries.length === 0) return null
  return (
    <Section title="Webhook deliveries">
      <ol className="rounded border bg-raised">
        {data.deliveries.map((delivery) => (
          <DeliveryRow key={delivery.deliveryId} jobId={jobId} delivery={delivery} onSent={() => void refetch()} />
        ))}
      </ol>
      {data.nextCursor && <p className="mt-2 text-caption text-muted">The newest {LIMIT} are shown.</p>}
    </Section>
  )
}
