'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useTRPC } from '../trpc'
import { AskOnce } from '../ui/ask-once'
import { Button, ButtonLink } from '../ui/button'
import type { ShownBudget } from './shape'

/** Edit, delete; deleting asks once, in place. */
export function BudgetActions({ of: { id, name } }: { of: ShownBudget }) {
  const [isDeleting, setDeleting] = useState(false)
  const router = useRouter()
  const remove = useMutation(
    useTRPC().budgets.remove.mutationOptions({
      onSuccess: () => {
        router.push('/budgets')
        router.refresh()
      },
    }),
  )
  if (!isDeleting)
    return (
      <div className="flex flex-wrap gap-2">
        <ButtonLink size="small" href={`/budgets/${id}/edit`}>
          Edit budget
        </ButtonLink>
        <Button size="small" kind="danger" onClick={() => setDeleting(true)}>
          Delete budget
        </Button>
      </div>
    )
  return (
    <div className="grid gap-3 rounded border border-bad p-4">
      <AskOnce
        error={remove.error}
        kept="The budget was not deleted."
        unsure="The list of budgets says whether it is there."
        label="Delete budget"
        isPending={remove.isPending}
        onConfirm={() => remove.mutate({ id })}
        onCancel={() => setDeleting(false)}
      >
        Delete <strong className="font-semibold wrap-anywhere">{name}</strong>? It limits no call any more. Receipts
        stay. This cannot be undone.
      </AskOnce>
    </div>
  )
}
