'use client'

import { Button, ButtonLink } from '../ui/button'

/** Shown when a page could not be rendered. `digest` identifies the error in the log. */
export const PageError = ({ digest }: { digest?: string }) => (
  <div role="alert" className="mx-auto grid max-w-[420px] gap-4 px-5 py-[14vh]">
    <h1 className="text-title font-semibold tracking-tight">This page could not be loaded</h1>
    <p className="text-muted">
      The server returned an error. Nothing you saved is lost and nothing was charged. Try again. If it keeps failing,
      contact the operator.
    </p>
    {digest && (
      <p className="text-caption text-muted">
        In the log: <span className="num">{digest}</span>
      </p>
    )}
    <div className="flex flex-wrap gap-2">
      <Button kind="primary" onClick={() => window.location.reload()}>
        Try again
      </Button>
      <ButtonLink href="/overview" prefetch={false}>
        Go to the overview
      </ButtonLink>
    </div>
  </div>
)
