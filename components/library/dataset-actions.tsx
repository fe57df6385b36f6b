'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { AskOnce } from '../ui/ask-once'
import { Button } from '../ui/button'
import { Field, Input } from '../ui/field'

type Props = { name: string; rowCount: number }

/** Rename, delete; deleting asks once, in place. */
export function DatasetActions({ name, rowCount }: Props) {
  const [open, setOpen] = useState<'rename' | 'delete' | null>(null)
  if (open === 'rename') return <Rename name={name} onDone={() => setOpen(null)} />
  if (open === 'delete') return <Delete name={name} rowCount={rowCount} onDone={() => setOpen(null)} />
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="small" onClick={() => setOpen('rename')}>
        Rename dataset
      </Button>
      <Button size="small" kind="danger" onClick={() => setOpen('delete')}>
        Delete dataset
      </Button>
    </div>
  )
}

function Rename({ name, onDone }: { name: string; onDone: () => void }) {
  const router = useRouter()
  const rename = useMutation(
    useTRPC().library.renameDataset.mutationOptions({
      onSuccess: (renamed) => router.replace(`/library/datasets/${renamed.name}`),
    }),
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    rename.mutate({ name, newName: String(new FormData(event.currentTarget).get('newName') ?? '').trim() })
  }
  return (
    <form onSubmit={submit} className="grid max-w-96 gap-3">
      <Field
        label="New name"
        hint="Lower-case letters, digits and _. Runs that name the old one do not find it any more"
      >
        {(control) => (
          <Input {...control} name="newName" defaultValue={name} required maxLength={63} autoComplete="off" autoFocus />
        )}
      </Field>
      <ActionError error={rename.error} kept="Its name is the same." unsure="The library says what it is called." />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" size="small" busy={rename.isPending}>
          Rename
        </Button>
        <Button size="small" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function Delete({ name, rowCount, onDone }: Props & { onDone: () => void }) {
  const router = useRouter()
  const remove = useMutation(
    useTRPC().library.removeDataset.mutationOptions({
      onSuccess: () => {
        router.push('/library')
        router.refresh()
      },
    }),
  )
  return (
    <div className="grid gap-3 rounded border border-bad p-4">
      <AskOnce
        error={remove.error}
        kept="The dataset was not deleted."
        unsure="The library says whether it is there."
        label="Delete dataset"
        isPending={remove.isPending}
        onConfirm={() => remove.mutate({ name })}
        onCancel={onDone}
      >
        Delete <strong className="font-semibold wrap-anywhere">{name}</strong> with its {rowCount} rows? Runs do not
        find it any more. This cannot be undone.
      </AskOnce>
    </div>
  )
}
