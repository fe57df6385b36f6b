'use client'

import { CheckOption, Field, Input } from '../ui/field'
import { useKeyFields } from './use-key-form'

/** Whom the calls of a key are made for. `bound`: the customer of a key that exists. */
export function CustomerChoice({ bound }: { bound?: string | null }) {
  const { values, errors, radio, text } = useKeyFields()
  if (bound)
    return (
      <p>
        All calls are for the customer <bdi className="font-medium">{bound}</bdi>, which cannot be changed.
      </p>
    )
  return (
    <fieldset className="grid gap-2">
      <legend className="sr-only">Customers</legend>
      <CheckOption {...radio('customers', 'none')} label="None" note="What calls say of customers is ignored" />
      <CheckOption
        {...radio('customers', 'named')}
        label="Calls name their customer"
        note="With the header X-Tollgate-Customer or the field user of their wire"
      />
      {bound === undefined && (
        <CheckOption
          {...radio('customers', 'one')}
          label="One customer"
          note="All calls of this key are for it, whatever they name"
        />
      )}
      {values.customers === 'one' && (
        <Field label="Customer" hint="Your name or id of it" error={errors.customer} className="ml-6.5 max-w-64">
          {(control) => <Input {...control} {...text('customer')} maxLength={128} autoComplete="off" />}
        </Field>
      )}
    </fieldset>
  )
}
