'use client'

import { useTRPCClient } from '../trpc'
import { NumberField } from '../ui/number-field'
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
  defaultValue: isDefault ? '' : most,
})

/** Changes what an owner may do over all its keys. */
export function OwnerLimitsAct({ of: { id: ownerId, email, limits } }: { of: OperatorOwnerDetails }) {
  const owners = useTRPCClient().operators.owners
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
        <NumberField
          label="Requests a minute"
          name="requests"
          min={1}
          max={1e9}
          {...fieldOf(limits.requestsPerMinute)}
        />
        <NumberField label="Calls in progress" name="calls" min={1} max={1e6} {...fieldOf(limits.callsInProgress)} />
        <NumberField
          label="Credits a day (UTC)"
          hint="Empty: no limit"
          name="day"
          min={0}
          defaultValue={limits.creditsPerDay?.credits ?? ''}
        />
      </div>
    </Act>
  )
}
