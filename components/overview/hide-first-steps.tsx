'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'

const useHide = () => {
  const router = useRouter()
  return useMutation(useTRPC().welcome.hide.mutationOptions({ onSuccess: () => router.refresh() }))
}

/** Takes the first steps off the overview. Settings bring them back. */
export function HideFirstSteps() {
  const hide = useHide()
  return (
    <Button
      kind="quiet"
      size="small"
      busy={hide.isPending}
      onClick={() => hide.mutate({ isHidden: true })}
      aria-label="Hide first steps"
      title="Settings bring them back"
    >
      Hide
    </Button>
  )
}

/** Whether the overview shows the first steps, and the button that changes it. */
export function FirstStepsSetting({ isHidden }: { isHidden: boolean }) {
  const hide = useHide()
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-muted">
        {isHidden ? 'The list of first steps is hidden.' : 'The overview shows the list of first steps.'}
      </p>
      <Button busy={hide.isPending} onClick={() => hide.mutate({ isHidden: !isHidden })}>
        {isHidden ? 'Show first steps' : 'Hide first steps'}
      </Button>
      <ActionError error={hide.error} kept="Nothing was changed." unsure="Reload the page to see what holds." />
    </div>
  )
}
