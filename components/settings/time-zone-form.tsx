'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { Field, Select } from '../ui/field'
import { Notice } from '../ui/page'
import { useBrowserTimeZone } from '../ui/time-zone'

/** The time zone of days and months, chosen from a list or taken from this browser. */
export function TimeZoneForm({ saved, zones }: { saved: string; zones: readonly string[] }) {
  const router = useRouter()
  const [zone, setZone] = useState(saved)
  const save = useMutation(useTRPC().account.setTimeZone.mutationOptions({ onSuccess: () => router.refresh() }))
  const here = useBrowserTimeZone()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save.mutate({ timeZone: zone })
  }
  // A zone may have a name here that the list does not have.
  const choices = [...new Set([...zones, saved, zone])]
  return (
    <form onSubmit={submit} onChange={() => save.isSuccess && save.reset()} className="grid max-w-96 gap-3">
      <Field
        label="Time zone"
        hint="Days, weeks and months of budgets and sums begin in it. Budgets that have begun end as planned."
      >
        {(control) => (
          <Select {...control} value={zone} onChange={(event) => setZone(event.target.value)}>
            {choices.map((name) => (
              <option key={name} value={name}>
                {name.replaceAll('_', ' ')}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {here && here !== zone && (
        <p className="flex flex-wrap items-center gap-2 text-table text-muted">
          This browser is in {here.replaceAll('_', ' ')}.
          <Button size="small" onClick={() => setZone(here)}>
            Use {here.replaceAll('_', ' ')}
          </Button>
        </p>
      )}
      <ActionError error={save.error} kept="Nothing was changed." unsure="Reload the page to see the time zone." />
      <div className="flex items-center gap-3">
        <Button type="submit" kind="primary" busy={save.isPending} disabled={zone === saved}>
          Save time zone
        </Button>
        {save.isSuccess && <Notice tone="good">Saved.</Notice>}
      </div>
    </form>
  )
}
