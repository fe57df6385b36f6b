'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useTRPC } from '../trpc'
import { Button } from '../ui/button'

/** Takes the webhooks that a receiver did not take off the overview, until another one fails. */
export function DismissWebhooks({ of: host }: { of: string }) {
  const router = useRouter()
  const dismiss = useMutation(useTRPC().overview.dismissWebhooks.mutationOptions({ onSuccess: () => router.refresh() }))
  return (
    <Button
      kind="quiet"
      size="small"
      className="mr-2"
      busy={dismiss.isPending}
      onClick={() => dismiss.mutate({ host })}
      aria-label={`Dismiss failed webhooks to ${host}`}
      title="Shown again when another one fails"
    >
      {dismiss.isError ? 'Try again' : 'Dismiss'}
    </Button>
  )
}
