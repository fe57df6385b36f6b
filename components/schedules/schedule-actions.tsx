'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button, ButtonLink } from '../ui/button'
import type { Schedule } from './shape'

/** Run now, pause or resume, edit, delete; deleting asks once, in place. */
export function ScheduleActions({ of }: { of: Schedule }) {
  const { scheduleId, name, paused } = of
  const [isDeleting, setDeleting] = useState(false)
  const router = useRouter()
  const queries = useQueryClient()
  const { schedules } = useTRPC()
  const onSuccess = async () => {
    await queries.invalidateQueries({ queryKey: schedules.pathKey() })
    router.refresh()
  }
  const run = useMutation(schedules.run.mutationOptions({ onSuccess: ({ jobId }) => router.push(`/jobs/${jobId}`) }))
  const pause = useMutation(schedules.pause.mutationOptions({ onSuccess }))
  const resume = useMutation(schedules.resume.mutationOptions({ onSuccess }))
  const remove = useMutation(
    schedules.remove.mutationOptions({
      onSuccess: () => {
        router.push('/jobs/schedules')
        router.refresh()
      },
    }),
  )
  if (isDeleting) {
    return (
      <div className="grid gap-3 rounded border border-bad p-4">
        <p>
          Delete <strong className="font-semibold wrap-anywhere">{name}</strong>? It starts no more runs. Its jobs stay,
          and a run in progress goes on.
        </p>
        <ActionError error={remove.error} kept="The schedule was not deleted." unsure="Reload the page." />
        <div className="flex flex-wrap gap-2">
          <Button kind="destroy" size="small" busy={remove.isPending} onClick={() => remove.mutate({ scheduleId })}>
            Delete schedule
          </Button>
          <Button size="small" onClick={() => setDeleting(false)}>
            Cancel
          </Button>
        </div>
      </div>
    )
  }
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        <Button size="small" busy={run.isPending} onClick={() => run.mutate({ scheduleId })}>
          Run now
        </Button>
        {paused ? (
          <Button size="small" kind="primary" busy={resume.isPending} onClick={() => resume.mutate({ scheduleId })}>
            Resume schedule
          </Button>
        ) : (
          <Button size="small" busy={pause.isPending} onClick={() => pause.mutate({ scheduleId })}>
            Pause schedule
          </Button>
        )}
        <ButtonLink size="small" href={`/jobs/schedules/${scheduleId}/edit`}>
          Edit schedule
        </ButtonLink>
        <Button size="small" kind="danger" onClick={() => setDeleting(true)}>
          Delete schedule
        </Button>
      </div>
      <ActionError
        error={run.error}
        kept="Nothing was started or charged."
        unsure="The runs below say whether it started."
      />
      <ActionError error={pause.error} kept="The schedule is still active." unsure="Reload the page." />
      <ActionError error={resume.error} kept="The schedule is still paused." unsure="Reload the page." />
    </div>
  )
}
