'use client'

import { useFormContext, useWatch } from 'react-hook-form'
import { formatUsd } from '../ui/amount'
import { CheckOption, Field, Input, Select } from '../ui/field'
import { type KeyFormValues, keyFormGrants } from './form-values'

/** How much a key may spend, how often it may call, and for how long. */
export function LimitChoice({ creditsPerUsd }: { creditsPerUsd: number }) {
  const { register, control, formState } = useFormContext<KeyFormValues>()
  const values = useWatch({ control }) as KeyFormValues
  const { budget } = keyFormGrants(values)
  const { errors } = formState
  return (
    <div className="grid gap-4">
      <div className="grid gap-2">
        <CheckOption
          type="checkbox"
          {...register('limited')}
          label="A lifetime budget"
          note="When it is gone, calls with this key are refused; the balance stays"
        />
        {values.limited && (
          <Field
            label="Budget in credits"
            hint={budget === null ? undefined : `≈ ${formatUsd(budget, creditsPerUsd)} at the reference rate`}
            error={errors.budget?.message}
            className="ml-6.5 max-w-64"
          >
            {(told) => <Input {...told} {...register('budget')} inputMode="numeric" className="num" />}
          </Field>
        )}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Requests a minute" error={errors.rpm?.message}>
          {(told) => <Input {...told} {...register('rpm')} inputMode="numeric" className="num" />}
        </Field>
        <Field label="Works until">
          {(told) => (
            <Select {...told} {...register('expiry')}>
              <option value="never">it is revoked</option>
              <option value="7">7 days from now</option>
              <option value="30">30 days from now</option>
              <option value="90">90 days from now</option>
              <option value="365">a year from now</option>
              <option value="day">the end of a day…</option>
            </Select>
          )}
        </Field>
        {values.expiry === 'day' && (
          <Field label="Last day (UTC)" error={errors.expiryDay?.message} className="sm:col-start-2">
            {(told) => <Input {...told} {...register('expiryDay')} type="date" />}
          </Field>
        )}
      </div>
    </div>
  )
}
