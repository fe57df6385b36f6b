'use client'

import { useFormContext, useWatch } from 'react-hook-form'
import { formatUsd } from '../ui/amount'
import { CheckOption, Field, Input, Select } from '../ui/field'
import { type KeyFormValues, keyFormGrants } from './form-values'

type LimitChoiceProps = {
  creditsPerUsd: number
  /** Whether the key must have a budget. */
  needsBudget?: boolean
}

/** A key's budget, rate and expiry. */
export function LimitChoice({ creditsPerUsd, needsBudget = false }: LimitChoiceProps) {
  const { register, control, formState } = useFormContext<KeyFormValues>()
  const values = useWatch({ control }) as KeyFormValues
  const { budget } = keyFormGrants(values)
  const { errors } = formState
  return (
    <div className="grid gap-4">
      <div className="grid gap-2">
        {!needsBudget && (
          <CheckOption
            type="checkbox"
            {...register('limited')}
            label="Lifetime budget"
            note="When it is spent, calls with this key are refused"
          />
        )}
        {values.limited && (
          <Field
            label={needsBudget ? 'Spend limit in credits' : 'Budget in credits'}
            hint={budget === null ? undefined : `≈ ${formatUsd(budget, creditsPerUsd)} at the reference rate`}
            error={errors.budget?.message}
            className={needsBudget ? 'max-w-64' : 'ml-6.5 max-w-64'}
          >
            {(control) => <Input {...control} {...register('budget')} inputMode="numeric" className="num" />}
          </Field>
        )}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Requests per minute" error={errors.rpm?.message}>
          {(control) => <Input {...control} {...register('rpm')} inputMode="numeric" className="num" />}
        </Field>
        <Field label="Expires">
          {(control) => (
            <Select {...control} {...register('expiry')}>
              <option value="never">Never</option>
              <option value="7">In 7 days</option>
              <option value="30">In 30 days</option>
              <option value="90">In 90 days</option>
              <option value="365">In a year</option>
              <option value="day">On a date…</option>
            </Select>
          )}
        </Field>
        {values.expiry === 'day' && (
          <Field label="Last day (UTC)" error={errors.expiryDay?.message} className="sm:col-start-2">
            {(control) => <Input {...control} {...register('expiryDay')} type="date" />}
          </Field>
        )}
      </div>
    </div>
  )
}
