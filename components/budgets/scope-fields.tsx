'use client'

import { useState } from 'react'
import { FormPart } from '../keys/form-part'
import { CheckOption, Field, Input, Textarea } from '../ui/field'
import { PRODUCT_LABELS } from '../usage/receipt-labels'
import { type ChosenKey, ChosenKeys } from './chosen-keys'
import type { BudgetFormErrors } from './parse-budget-form'
import type { ShownBudget } from './shape'

type Props = {
  of?: ShownBudget
  keys: readonly ChosenKey[]
  errors: BudgetFormErrors
  toolGroups: readonly { id: string; label: string }[]
  onKeys: (keys: ChosenKey[]) => void
  /** Who belongs to the account. */
  members: readonly MemberChoice[]
  /** The member whom a new budget begins with. */
  member?: number
}

/** A member whom a budget may be of. */
export type MemberChoice = { personId: number; email: string }

type CustomerMode = 'any' | 'each' | 'named'

function CustomerFields({ of, error }: { of?: ShownBudget; error?: string }) {
  const customers = of?.scope.customers
  const [mode, setMode] = useState<CustomerMode>(customers === 'each' ? 'each' : customers ? 'named' : 'any')
  // Of a budget that is there this cannot be changed.
  const isOpen = (value: CustomerMode) => !of || (value === 'each') === (customers === 'each')
  const option = (value: CustomerMode) => ({
    ...{ type: 'radio', name: 'customers', value, checked: mode === value, disabled: !isOpen(value) },
    onChange: () => setMode(value),
  })
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 text-table font-medium">Customers</legend>
      <CheckOption {...option('any')} label="All together" note="Also calls that name no customer" />
      <CheckOption {...option('each')} label="Each by itself" note="Every customer may spend the credits above" />
      <CheckOption {...option('named')} label="These together" />
      {mode === 'named' && (
        <Field label="Names, one a line" error={error} className="ml-6.5">
          {(control) => (
            <Textarea
              {...control}
              name="customerNames"
              rows={3}
              defaultValue={Array.isArray(customers) ? customers.join('\n') : ''}
            />
          )}
        </Field>
      )}
    </fieldset>
  )
}

/** Members of whom a budget is. Nothing where there is one alone. */
function MemberFields({
  members,
  chosen,
  error,
}: {
  members: readonly MemberChoice[]
  chosen: readonly number[]
  error?: string
}) {
  const gone = chosen.filter((id) => !members.some(({ personId }) => personId === id))
  if (members.length < 2 && chosen.length === 0) return null
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 text-table font-medium">Members</legend>
      <p className="text-caption text-muted">
        Calls with keys that one of them made, and what they run at the dashboard, together. None: whoever it is
      </p>
      {[...members, ...gone.map((personId) => ({ personId, email: `Former member ${personId}` }))].map(
        ({ personId, email }) => (
          <CheckOption
            key={personId}
            type="checkbox"
            name="member"
            value={personId}
            defaultChecked={chosen.includes(personId)}
            label={email}
          />
        ),
      )}
      {error && (
        <p role="alert" className="text-caption text-bad">
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** Which calls a budget counts. */
export function ScopeFields({ of, keys, errors, toolGroups, onKeys, members, member }: Props) {
  const { products, tools, models, tags } = of?.scope ?? {}
  const groups = toolGroups.map(({ id }) => id).join(', ')
  const names = [
    {
      ...{ name: 'tools', label: 'Names of tools', value: tools, error: errors.tools },
      hint: `Tool ids, groups, or the beginning of ids and *: web_*. Groups: ${groups}`,
    },
    {
      ...{ name: 'models', label: 'Names of models', value: models, error: errors.models },
      hint: 'Model ids, or the beginning of ids and *: anthropic/*',
    },
    {
      ...{ name: 'tags', label: 'Tags of keys', value: tags, error: errors.tags },
      hint: 'Calls with keys that have one of them',
    },
  ]
  return (
    <FormPart title="What it counts">
      <p className="text-muted">A call counts where it fits everything below; what is empty fits every call.</p>
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-table font-medium">Products</legend>
        {Object.entries(PRODUCT_LABELS).map(([id, label]) => (
          <CheckOption
            key={id}
            type="checkbox"
            name="product"
            value={id}
            defaultChecked={products?.some((product) => product === id)}
            label={label}
          />
        ))}
        {errors.products && (
          <p role="alert" className="text-caption text-bad">
            {errors.products}
          </p>
        )}
      </fieldset>
      {names.map(({ name, label, hint, value, error }) => (
        <Field key={name} label={label} hint={hint} error={error}>
          {(control) => <Input {...control} name={name} defaultValue={value?.join(', ')} autoComplete="off" />}
        </Field>
      ))}
      <ChosenKeys keys={keys} error={errors.keys} onChange={onKeys} />
      <MemberFields members={members} chosen={of?.scope.members ?? (member ? [member] : [])} error={errors.members} />
      <CustomerFields of={of} error={errors.customers} />
    </FormPart>
  )
}
