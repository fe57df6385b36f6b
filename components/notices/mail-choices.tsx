'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { Select } from '../ui/field'
import { Notice } from '../ui/page'
import type { NoticeChoices } from './shape'

const CHOICES = { now: 'At once', daily: 'Once a day, together', off: 'Not by e-mail' } as const
type Choice = keyof typeof CHOICES
const isChoice = (value: unknown): value is Choice => typeof value === 'string' && value in CHOICES

/** What whoever is signed in gets by e-mail, kind by kind. */
export function MailChoicesForm({ saved, kinds }: { saved: NoticeChoices['mail']; kinds: NoticeChoices['kinds'] }) {
  const id = useId()
  const save = useMutation(useTRPC().notices.saveMail.mutationOptions())
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const chosen = kinds.map(({ id }) => [id, form.get(id)] as const).filter(([, value]) => isChoice(value))
    save.mutate(Object.fromEntries(chosen))
  }
  return (
    <form onSubmit={submit} onChange={() => save.isSuccess && save.reset()} className="grid gap-4">
      <div className="divide-y rounded border bg-raised">
        {kinds.map(({ id: kind, label }) => (
          <div key={kind} className="grid items-center gap-x-4 gap-y-1 px-3 py-2 sm:grid-cols-[1fr_14rem]">
            <label htmlFor={`${id}-${kind}`}>{label}</label>
            <Select id={`${id}-${kind}`} name={kind} defaultValue={saved[kind]}>
              {Object.entries(CHOICES).map(([choice, text]) => (
                <option key={choice} value={choice}>
                  {text}
                </option>
              ))}
            </Select>
          </div>
        ))}
      </div>
      <ActionError error={save.error} kept="Nothing was changed." unsure="Reload the page to see what is sent." />
      <div className="flex items-center gap-3">
        <Button type="submit" kind="primary" busy={save.isPending}>
          Save e-mails
        </Button>
        {save.isSuccess && <Notice tone="good">Saved.</Notice>}
      </div>
    </form>
  )
}
