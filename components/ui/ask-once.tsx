import type { ComponentProps, ReactNode } from 'react'
import { ActionError } from './action-error'
import { Button } from './button'

type Props = Pick<ComponentProps<typeof ActionError>, 'error' | 'kept' | 'unsure'> & {
  /** What is asked, and what comes of it. */
  children: ReactNode
  label: string
  isPending: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Asks once more before what cannot be undone, says how that failed, and lets one leave it. */
export const AskOnce = ({ children, label, isPending, onConfirm, onCancel, ...failure }: Props) => (
  <>
    <p>{children}</p>
    <ActionError {...failure} />
    <div className="flex flex-wrap gap-2">
      <Button kind="destroy" size="small" busy={isPending} onClick={onConfirm}>
        {label}
      </Button>
      <Button size="small" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  </>
)
