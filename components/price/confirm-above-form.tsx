'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { Field, Input, Select } from '../ui/field'
import { Notice } from '../ui/page'

type Choice = 'above' | 'always' | 'never'

const choiceOf = (credits: number | null): Choice => (credits === null ? 'never' : credits === 0 ? 'always' : 'above')

const USUAL = 500

/** Above how many credits pages ask before they spend; 0: always, null: never. */
export function ConfirmAboveForm({ confirmAbove }: { confirmAbove: number | null }) {
  const [choice, setChoice] = useState<Choice>(choiceOf(confirmAbove))
  const [error, setError] = useState<string>()
  const save = useMutation(useTRPC().settings.setConfirmAbove.mutationOptions())
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = Number(new FormData(event.currentTarget).get('credits') ?? USUAL)
    const isGood = choice !== 'above' || (Number.isInteger(typed) && typed >= 1 && typed <= 1_000_000_000)
    setError(isGood ? undefined : 'A whole number of credits, at least 1')
    if (isGood) save.mutate({ confirmAbove: choice === 'never' ? null : choice === 'always' ? 0 : typed })
  }
  return (
    <form onSubmit={submit} onChange={() => save.reset()} className="grid max-w-md gap-3">
      <Field label="Ask before spending" hint="In the dashboard; programs with a key are never asked.">
        {(control) => (
          <Select {...control} value={choice} onChange={({ target }) => setChoice(target.value as Choice)}>
            <option value="above">When it may cost more than</option>
            <option value="always">Always</option>
            <option value="never">Never</option>
          </Select>
        )}
      </Field>
      {choice === 'above' && (
        <Field label="Credits" error={error}>
          {(control) => (
            <Input
              {...control}
              name="credits"
              inputMode="numeric"
              autoComplete="off"
              defaultValue={confirmAbove || USUAL}
              className="num"
            />
          )}
        </Field>
      )}
      <ActionError error={save.error} kept="Nothing was changed." unsure="Reload the page to see what is set." />
      <div className="flex items-center gap-3">
        <Button type="submit" kind="primary" busy={save.isPending}>
          Save choice
        </Button>
        {save.isSuccess && <Notice tone="good">Saved</Notice>}
      </div>
    </form>
  )
}
