/**
 * Below a skeleton: what to do when what it stands for does not come. It shows itself after eight
 * seconds, without script.
 */
export const SlowHint = () => (
  <p className="mt-6 animate-late text-muted">
    This takes longer than usual.{' '}
    {/* biome-ignore lint/a11y/useValidAnchor: an empty address is this page, with its parameters */}
    <a href="" className="text-accent underline underline-offset-2">
      Load the page again
    </a>
  </p>
)
