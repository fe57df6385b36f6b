import { Button } from './button'

/** Says that a form shows what was typed before, and how to begin again. */
export const RestoredDraft = ({ onDiscard }: { onDiscard: () => void }) => (
  <p role="status" className="mb-4 flex flex-wrap items-center gap-3 text-muted">
    The form is as you left it.
    <Button size="small" onClick={onDiscard}>
      Discard
    </Button>
  </p>
)
