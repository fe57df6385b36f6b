'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { cn } from '../ui/cn'

type Props<T> = {
  /** What both buttons say: a verb with its object. */
  label: string
  /** What it does to whom, asked before it is done. */
  question: ReactNode
  isDangerous?: boolean
  run: (form: FormData) => Promise<T>
  /** What stays as it is after a refusal. */
  kept: string
  /** What to show once it is done; by default the button again. */
  result?: (done: T) => ReactNode
  /** Further fields of the form. */
  children?: ReactNode
}

/** The focus was on the button that opened the form. */
const focusFirst = (form: HTMLFormElement | null) => form?.querySelector<HTMLElement>('input, button')?.focus()

/** An operator's act: a button that asks once, in place, and says what came of it. */
export function Act<T>({ label, question, isDangerous = false, run, kept, result, children }: Props<T>) {
  const router = useRouter()
  const [isOpen, setOpen] = useState(false)
  const act = useMutation({
    mutationFn: run,
    onSuccess: () => {
      router.refresh()
      if (!result) setOpen(false)
    },
  })
  const close = () => {
    act.reset()
    setOpen(false)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    act.mutate(new FormData(event.currentTarget))
  }
  if (!isOpen)
    return (
      <Button size="small" kind={isDangerous ? 'danger' : 'plain'} onClick={() => setOpen(true)}>
        {label}
      </Button>
    )
  if (act.data !== undefined && result)
    return (
      <div className="grid basis-full gap-3 rounded border p-4">
        {result(act.data)}
        <div>
          <Button size="small" onClick={close}>
            Done
          </Button>
        </div>
      </div>
    )
  return (
    <form
      ref={focusFirst}
      onSubmit={submit}
      aria-label={label}
      className={cn('grid basis-full gap-3 rounded border p-4', isDangerous && 'border-bad')}
    >
      <p className="max-w-prose break-words">{question}</p>
      {children}
      <ActionError error={act.error} kept={kept} unsure="Reload the page to see whether it was done." />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind={isDangerous ? 'destroy' : 'primary'} size="small" busy={act.isPending}>
          {label}
        </Button>
        <Button size="small" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

/** A field's text, or undefined where it was left empty. */
export const fieldText = (form: FormData, name: string): string | undefined => {
  const text = String(form.get(name) ?? '').trim()
  return text === '' ? undefined : text
}
