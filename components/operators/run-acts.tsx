'use client'

import { useTRPCClient } from '../trpc'
import { Field, Input } from '../ui/field'
import { Act, fieldText } from './act'
import type { OperatorRun } from './views'

/** Ends a run of any owner, or sends it to another worker. */
export function RunActs({ of: { jobId, status, ownerEmail } }: { of: OperatorRun }) {
  const runs = useTRPCClient().operators.runs
  if (status !== 'running' && status !== 'awaiting_input')
    return (
      <p className="max-w-prose text-muted">
        The run has ended. It cannot be resumed: its owner continues the conversation with another turn. What it was
        charged for by mistake can be refunded by request.
      </p>
    )
  const name = <strong className="font-semibold">{ownerEmail}</strong>
  return (
    <div className="flex flex-wrap gap-2">
      {status === 'running' && (
        <Act
          label="Retry run"
          question={
            <>
              Send this run of {name} to another worker? Only where its process is gone or its step takes too long. The
              step begins again; nobody pays twice.
            </>
          }
          kept="The run goes on as it was."
          run={() => runs.retry.mutate({ jobId })}
        />
      )}
      <Act
        label="Cancel run"
        isDangerous
        question={<>Cancel this run of {name}? A call in progress ends and is charged.</>}
        kept="The run was not cancelled."
        run={(form) => runs.cancel.mutate({ jobId, reason: fieldText(form, 'reason') ?? '' })}
      >
        <Field label="Reason" hint="The owner reads it as the result">
          {(control) => <Input {...control} name="reason" maxLength={500} required />}
        </Field>
      </Act>
    </div>
  )
}
