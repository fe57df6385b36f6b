'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'

/** Cancels a live run, after a confirmation in place. */
export function CancelRun({ jobId, onDone }: { jobId: string; onDone: () => void }) {
  const [isAsked, setAsked] = useState(false)
  const cancel = useMutation(useTRPC().jobs.cancel.mutationOptions({ onSettled: onDone }))
  return (
    <div className="grid gap-2">
      {isAsked ? (
        <div className="flex flex-wrap items-center gap-2">
          <span className="text-table">Cancel this run? A call in progress is still charged.</span>
          <Button size="small" kind="destroy" busy={cancel.isPending} onClick={() => cancel.mutate({ jobId })}>
            Cancel run
          </Button>
          <Button size="small" onClick={() => setAsked(false)}>
            Keep running
          </Button>
        </div>
      ) : (
        <div>
          <Button size="small" kind="danger" onClick={() => setAsked(true)}>
            Cancel
          </Button>
        </div>
      )}
      <ActionError
        error={cancel.error}
        kept=""
        unsure="The page shows the job's status as soon as the service responds."
      />
    </div>
  )
}
