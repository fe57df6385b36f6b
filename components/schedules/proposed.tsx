'use client'

import { useMutation } from '@tanstack/react-query'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { permissionText, withPermissions } from '../jobs/permission-fields'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { Notice } from '../ui/page'
import { TimeAgo } from '../ui/time-ago'
import type { Schedule } from './shape'

/** That a run of a schedule waits for a person, what it asks, and what happens otherwise. */
export const WaitingRun = ({ waiting }: Pick<Schedule, 'waiting'>) =>
  waiting && (
    <Notice tone="warn">
      A run waits for you since <TimeAgo at={waiting.since} />: {waiting.summary}{' '}
      <Link href={`/jobs/${waiting.jobId}`} className="underline underline-offset-2">
        Answer it
      </Link>
      {waiting.answersNoAt && (
        <>
          , or it is answered no <TimeAgo at={waiting.answersNoAt} />
        </>
      )}
      .
    </Notice>
  )

/** What a schedule's runs asked for, to be permitted from now on. */
export function ProposedPermissions({ of }: { of: Schedule }) {
  const router = useRouter()
  const change = useMutation(useTRPC().schedules.change.mutationOptions({ onSuccess: () => router.refresh() }))
  const { scheduleId, keyId, permissions, proposedPermissions } = of
  if (proposedPermissions.length === 0) return null
  return (
    <section aria-labelledby="proposed" className="grid gap-2 rounded border bg-raised p-4 text-table">
      <h2 id="proposed" className="font-medium">
        Its runs asked you for this
      </h2>
      <ul className="grid gap-1">
        {proposedPermissions.map((one) => (
          <li key={`${one.kind} ${one.name}`} className="flex flex-wrap items-center gap-2">
            <span className="min-w-0 wrap-anywhere">{permissionText(one)}</span>
            <Button
              size="small"
              busy={change.isPending}
              onClick={() =>
                change.mutate({ scheduleId, keyId, permissions: withPermissions(permissions ?? {}, [one]) })
              }
            >
              Do not ask again
            </Button>
          </li>
        ))}
      </ul>
      <ActionError error={change.error} kept="Nothing was changed." unsure="Reload the page." />
    </section>
  )
}
