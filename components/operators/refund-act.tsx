'use client'

import { useTRPCClient } from '../trpc'
import { formatCredits } from '../ui/amount'
import { Field, Input } from '../ui/field'
import { NumberField } from '../ui/number-field'
import { Act, fieldText } from './act'
import type { OperatorRequest } from './views'

/** Gives a request's charge back, once. */
export function RefundAct({ of: { owner, receipt } }: { of: OperatorRequest }) {
  const requests = useTRPCClient().operators.requests
  const { requestId, credits, detail } = receipt
  if (detail.refunded !== undefined)
    return <p className="text-muted">Refunded: {formatCredits(detail.refunded)} of the credits that were charged.</p>
  if (credits.charged === 0) return <p className="text-muted">Nothing was charged, so there is nothing to refund.</p>
  return (
    <Act
      label="Refund request"
      question={
        <>
          Give <strong className="font-semibold">{owner.email}</strong> back what this request cost? It returns to the
          balance, to the budgets of its key and to the spend limit of its job. A request is refunded once.
        </>
      }
      kept="Nothing was refunded."
      run={(form) =>
        requests.refund.mutate({ requestId, credits: Number(form.get('credits')), note: fieldText(form, 'note') })
      }
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <NumberField
          label="Credits"
          hint={`${formatCredits(credits.charged)} were charged`}
          name="credits"
          min={1}
          max={credits.charged}
          defaultValue={credits.charged}
          required
        />
        <Field label="Note" hint="The owner reads it">
          {(control) => <Input {...control} name="note" maxLength={500} />}
        </Field>
      </div>
    </Act>
  )
}
