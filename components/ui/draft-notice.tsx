import { Button } from './button'

/** Above a form that was filled in from its draft: says so, and offers to begin again. */
export const DraftNotice = ({ of }: { of: { isRestored: boolean; clear: () => void } }) =>
  of.isRestored && (
    <p role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-table text-muted">
      What you had typed here is filled in again.
      <Button
        size="small"
        onClick={() => {
          of.clear()
          window.location.reload()
        }}
      >
        Start over
      </Button>
    </p>
  )
