'use client'

import { formatUsd } from '../ui/amount'
import { CheckOption, Field, Input, Select } from '../ui/field'
import { ExactTime } from '../ui/time-ago'
import { useTimeZone } from '../ui/time-zone'
import { keyFormGrants } from './form-values'
import { useKeyFields } from './use-key-form'

type LimitChoiceProps = {
  creditsPerUsd: number
  /** Whether the key must have a budget. */
  needsBudget?: boolean
  /** When the key expires now, where it may stay so. */
  keptExpiry?: string | null
}

/** When a budget begins anew. */
const RESETS = { day: 'at midnight', week: 'on Mondays at 00:00', month: 'on the 1st at 00:00' }

/** A key's budgets, rate and expiry. */
export function LimitChoice({ creditsPerUsd, needsBudget = false, keptExpiry = null }: LimitChoiceProps) {
  const { values, errors, text, check } = useKeyFields()
  const timeZone = useTimeZone()
  const { budget, recurringBudget } = keyFormGrants(values, { timeZone })
  const worth = (credits: number | undefined | null) =>
    credits ? `≈ ${formatUsd(credits, creditsPerUsd)} at the reference rate` : undefined
  return (
    <div className="grid gap-4">
      <div className="grid gap-2">
        {!needsBudget && (
          <CheckOption
            type="checkbox"
            {...check('limited')}
            label="Lifetime budget"
            note="When it is spent, calls with this key are refused"
          />
        )}
        {values.limited && (
          <Field
            label={needsBudget ? 'Spend limit in credits' : 'Budget in credits'}
            hint={worth(budget)}
            error={errors.budget}
            className={needsBudget ? 'max-w-64' : 'ml-6.5 max-w-64'}
          >
            {(control) => <Input {...control} {...text('budget')} inputMode="numeric" className="num" />}
          </Field>
        )}
      </div>
      <div className="grid gap-2">
        <CheckOption
          type="checkbox"
          {...check('recurring')}
          label="Recurring budget"
          note="Begins anew every day, week or month. Until then, calls beyond it are refused"
        />
        {values.recurring && (
          <div className="ml-6.5 grid gap-1">
            <div className="grid max-w-96 grid-cols-2 gap-3">
              <Field label="Credits a period" hint={worth(recurringBudget?.credits)} error={errors.recurringCredits}>
                {(control) => <Input {...control} {...text('recurringCredits')} inputMode="numeric" className="num" />}
              </Field>
              <Field label="Period">
                {(control) => (
                  <Select {...control} {...text('every')}>
                    <option value="day">Day</option>
                    <option value="week">Week</option>
                    <option value="month">Month</option>
                  </Select>
                )}
              </Field>
            </div>
            <p className="text-caption text-muted">
              Begins anew {RESETS[values.every]}, time zone {timeZone}.
            </p>
          </div>
        )}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Requests per minute" error={errors.rpm}>
          {(control) => <Input {...control} {...text('rpm')} inputMode="numeric" className="num" />}
        </Field>
        <Field
          label="Expires"
          hint={keptExpiry && values.expiry === 'keep' ? <ExactTime at={keptExpiry} /> : undefined}
        >
          {(control) => (
            <Select {...control} {...text('expiry')}>
              {keptExpiry && <option value="keep">As it is</option>}
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
          <Field label={`Last day (${timeZone})`} error={errors.expiryDay} className="sm:col-start-2">
            {(control) => <Input {...control} {...text('expiryDay')} type="date" />}
          </Field>
        )}
      </div>
    </div>
  )
}
