'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import type { RequestLogChoice } from './shape'

const WHAT = `What your calls send and get back: the parameters and results of tools, the prompts and answers of models.
  Steps of jobs are kept with their job, whatever is set here.`

/** What is kept of a call, for how long and for whom. */
const Explanation = ({ days }: { days: number }) => (
  <div className="grid gap-2 text-muted">
    <p>{WHAT}</p>
    <ul className="grid list-disc gap-1 pl-5">
      <li>
        Kept for {days} {days === 1 ? 'day' : 'days'}, up to 64 KiB a side. Keys, passwords, images and files are left
        out.
      </li>
      <li>
        Read by you, on the receipt of a call, and by each key for its own calls. Operators’ pages do not show it; it is
        in the database of this service.
      </li>
    </ul>
  </div>
)

/** Whether requests and responses are kept. Turning it off deletes them, and asks before. */
export function RequestLogSwitch({ first }: { first: RequestLogChoice }) {
  const [{ isOn, isOffered, days }, setCurrent] = useState(first)
  const [isConfirming, setConfirming] = useState(false)
  const change = useMutation(
    useTRPC().settings.setRequestLog.mutationOptions({
      onSuccess: (next) => {
        setCurrent(next)
        setConfirming(false)
      },
    }),
  )
  return (
    <div className="grid max-w-prose gap-3">
      <Explanation days={days} />
      <p role="status">
        {isOn ? 'Requests and responses are kept.' : 'Nothing is kept.'}
        {isOn && !isOffered && ' The operator has turned it off: nothing is added.'}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        {isConfirming ? (
          <>
            <span className="text-table">Turn it off, and delete what was kept?</span>
            <Button size="small" kind="destroy" busy={change.isPending} onClick={() => change.mutate({ isOn: false })}>
              Turn off and delete
            </Button>
            <Button size="small" onClick={() => setConfirming(false)}>
              Cancel
            </Button>
          </>
        ) : isOn ? (
          <Button size="small" kind="danger" onClick={() => setConfirming(true)}>
            Turn off request log
          </Button>
        ) : (
          <Button size="small" busy={change.isPending} onClick={() => change.mutate({ isOn: true })}>
            Turn on request log
          </Button>
        )}
      </div>
      <ActionError error={change.error} kept="Nothing was changed." unsure="Reload the page to see what is set." />
    </div>
  )
}
