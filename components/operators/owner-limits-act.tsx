'use client'

import { useTRPCClient } from '../trpc'
import { Field, Input } from '../ui/field'
import { Act, fieldText } from './act'
import type { OperatorOwnerDetails } from './views'

/** A limit's number; an empty field is null. */
const limitOf = (form: FormData, name: string): number | null => {
  const text = fieldText(form, name)
  return text === undefined ? null : Number(text)
}

type Limit = OperatorOwnerDetails['limits']['callsInProgress']

/** The value of a field, and what an empty one means. */
const fieldOf = ({ most, isDefault }: Limit) => ({
  hint: isDefault ? `Empty: the default, ${most.toLocaleString('en-US')}` : 'Empty: the default of all owners',
  value: isDefault ? '' : most,
})

/** Changes what an owner may do over all its keys. */
export function OwnerLimitsAct({ of: { id: ownerId, email, limits } }: { of: OperatorOwnerDetails }) {
  const owners = useTRPCClient().operators.owners
  const [requests, calls] = [fieldOf(limits.requestsPerMinute), fieldOf(limits.callsInProgress)]
  return (
    <Act
      label="Change limits"
      question={
        <>
          Change what all keys of <strong className="font-semibold">{email}</strong> together may do? It holds from the
          next call on.
        </>
      }
      kept="The limits are unchanged."
      run={(form) =>
        owners.changeLimits.mutate({
          ownerId,
          requestsPerMinute: limitOf(form, 'requests'),
          callsInProgress: limitOf(form, 'calls'),
          creditsPerDay: limitOf(form, 'day'),
        })
      }
    >
      <div className="grid gap-3 sm:grid-cols-3">
        <Field label="Requests a minute" hint={requests.hint}>
          {(control) => (
            <Input
              {...control}
              name="requests"
              type="number"
              min={1}
              max={1e9}
              step={1}
              defaultValue={requests.value}
            />
          )}
        </Field>
        <Field label="Calls in progress" hint={calls.hint}>
          {(control) => (
            <Input {...control} name="calls" type="number" min={1} max={1e6} step={1} defaultValue={calls.value} />
          )}
        </Field>
        <Field label="Credits a day (UTC)" hint="Empty: no limit">
          {(control) => (
            <Input
              {...control}
              name="day"
              type="number"
              min={0}
              step={1}
              defaultValue={limits.creditsPerDay?.credits ?? ''}
            />
          )}
        </Field>
      </div>
    </Act>
  )
}
