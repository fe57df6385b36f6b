'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'

/** Signs out every browser but this one, once that was confirmed. */
export function EndOtherSessions({ count }: { count: number }) {
  const router = useRouter()
  const [isConfirming, setConfirming] = useState(false)
  const end = useMutation(useTRPC().account.endOtherSessions.mutationOptions({ onSuccess: () => router.refresh() }))
  if (!isConfirming) {
    return (
      <Button size="small" kind="danger" onClick={() => setConfirming(true)}>
        Sign out all others
      </Button>
    )
  }
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      <Button size="small" kind="destroy" autoFocus busy={end.isPending} onClick={() => end.mutate()}>
        Sign out {count === 1 ? 'the other browser' : `${count} browsers`}
      </Button>
      <Button size="small" onClick={() => setConfirming(false)}>
        Cancel
      </Button>
      <ActionError error={end.error} kept="They are still signed in." unsure="Reload the page to see." />
    </div>
  )
}
