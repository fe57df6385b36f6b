'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type FormEvent, useEffect, useState } from 'react'
import { FormPart } from '../keys/form-part'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { formatUsd } from '../ui/amount'
import { Button, ButtonLink } from '../ui/button'
import { Field, Input, Select } from '../ui/field'
import { FormWithAside, Meaning } from '../ui/form-with-aside'
import { RestoredDraft } from '../ui/restored-draft'
import { useTimeZone } from '../ui/time-zone'
import { useFieldsDraft } from '../ui/use-fields-draft'
import { budgetMeaning } from './budget-meaning'
import type { ChosenKey } from './chosen-keys'
import { errorsOfBudget, parseBudgetForm } from './parse-budget-form'
import { type MemberChoice, ScopeFields } from './scope-fields'
import { type ShownBudget, WINDOWS } from './shape'

type Props = {
  /** The budget to change; omitted: a new one. */
  of?: ShownBudget
  /** The keys that it names. */
  keys?: readonly ChosenKey[]
  toolGroups: readonly { id: string; label: string }[]
  creditsPerUsd: number
  /** Who belongs to the account, and the member whom a new budget begins with. */
  members: readonly MemberChoice[]
  member?: number
}

/** Makes or changes a budget. */
export function BudgetForm({ of, keys: first = [], toolGroups, creditsPerUsd, members, member }: Props) {
  const router = useRouter()
  const timeZone = useTimeZone()
  const [keys, setKeys] = useState<readonly ChosenKey[]>(first)
  const [credits, setCredits] = useState(of ? String(of.credits) : '')
  const draft = useFieldsDraft(of ? null : 'budget')
  const { budgets } = useTRPC()
  const onSuccess = ({ id }: { id: string }) => {
    draft.clear()
    router.push(`/budgets/${id}`)
    router.refresh()
  }
  const create = useMutation(budgets.create.mutationOptions({ onSuccess }))
  const change = useMutation(budgets.change.mutationOptions({ onSuccess }))
  const error = create.error ?? change.error
  const errors = errorsOfBudget(error?.data?.issues ?? [])
  const isAtFields = Object.keys(errors).length > 0
  const [given, setGiven] = useState<FormData | null>(null)
  useEffect(() => {
    if (draft.form.ref.current) setGiven(new FormData(draft.form.ref.current))
  }, [draft.form.ref])
  const read = (form: FormData) => {
    const budget = parseBudgetForm(
      form,
      keys.map(({ id }) => id),
    )
    // A disabled choice is not in the form.
    return of?.scope.customers === 'each'
      ? { ...budget, scope: { ...budget.scope, customers: 'each' as const } }
      : budget
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const budget = read(new FormData(event.currentTarget))
    if (of) change.mutate({ id: of.id, changes: budget })
    else create.mutate(budget)
  }
  const worth = Number(credits) > 0 ? `≈ ${formatUsd(Number(credits), creditsPerUsd)} at the reference rate` : undefined
  return (
    <form {...draft.form} onSubmit={submit} onChange={({ currentTarget }) => setGiven(new FormData(currentTarget))}>
      <FormWithAside
        aside={
          <>
            <h2 className="font-semibold">What this budget will do</h2>
            {given && (
              <Meaning
                rows={budgetMeaning({ ...read(given), credits: Number(credits) }, { timeZone, creditsPerUsd })}
              />
            )}
            <ActionError
              error={error && isAtFields ? { ...error, message: 'Fix the highlighted fields.' } : error}
              kept={of ? 'Nothing was changed.' : 'No budget was made.'}
              unsure="The list of budgets says whether it was saved."
            />
            <div className="flex flex-wrap gap-2">
              <Button type="submit" kind="primary" busy={create.isPending || change.isPending}>
                {of ? 'Save budget' : 'Create budget'}
              </Button>
              <ButtonLink href={of ? `/budgets/${of.id}` : '/budgets'}>Cancel</ButtonLink>
            </div>
          </>
        }
      >
        {draft.isRestored && <RestoredDraft onDiscard={draft.discard} />}
        <FormPart title="How much">
          <Field label="Name" hint="Refused calls say it" error={errors.name}>
            {(control) => (
              <Input {...control} name="name" defaultValue={of?.name} maxLength={100} required autoFocus={!of} />
            )}
          </Field>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="Credits" hint={worth} error={errors.credits}>
              {(control) => (
                <Input
                  {...control}
                  name="credits"
                  value={credits}
                  onChange={(e) => setCredits(e.target.value)}
                  inputMode="numeric"
                  pattern="[0-9]+"
                  title="Credits are a whole number"
                  required
                  className="num"
                />
              )}
            </Field>
            <Field label="Window" hint={`Begins anew in the time zone ${timeZone}`}>
              {(control) => (
                <Select {...control} name="window" defaultValue={of?.window ?? 'month'}>
                  {Object.entries(WINDOWS).map(([id, label]) => (
                    <option key={id} value={id}>
                      {label}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          </div>
        </FormPart>
        <ScopeFields
          of={of}
          keys={keys}
          errors={errors}
          toolGroups={toolGroups}
          onKeys={setKeys}
          members={members}
          member={member}
        />
      </FormWithAside>
    </form>
  )
}
