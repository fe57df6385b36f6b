'use client'

import type { KeyView } from '@/server/keys/shape'
import { useTRPCClient } from '../trpc'
import { NumberField } from '../ui/number-field'
import { Act } from './act'

/** A budget's field: an empty one means no budget. */
const budgetOf = (form: FormData): number | null => {
  const text = String(form.get('budget') ?? '').trim()
  return text === '' ? null : Number(text)
}

/** Limits of an owner's key, and its end. */
export function KeyLimitActs({ of }: { of: KeyView }) {
  const owners = useTRPCClient().operators.owners
  const name = <strong className="font-semibold">{of.name}</strong>
  return (
    <div className="flex flex-wrap gap-2">
      <Act
        label="Change limits"
        question={<>Change the limits of {name}? They hold from its next request on.</>}
        kept="The key is unchanged."
        run={(form) =>
          owners.changeKey.mutate({
            id: of.id,
            changes: { budget: budgetOf(form), rpm: Number(form.get('rpm')) },
          })
        }
      >
        <div className="grid gap-3 sm:grid-cols-2">
          <NumberField
            label="Lifetime budget, credits"
            hint="Empty: none"
            name="budget"
            min={1}
            defaultValue={of.budget ?? ''}
          />
          <NumberField label="Requests a minute" name="rpm" min={1} max={100_000} defaultValue={of.rpm} required />
        </div>
      </Act>
      <Act
        label="Revoke key"
        isDangerous
        question={<>Revoke {name}? Every call with it is refused from now on. This cannot be undone.</>}
        kept="The key was not revoked."
        run={() => owners.revokeKey.mutate({ id: of.id })}
      />
    </div>
  )
}
