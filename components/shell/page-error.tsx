'use client'

import { Button } from '../ui/button'

/** What a page shows when it could not be made. `digest` is how the log names the error. */
export const PageError = ({ digest }: { digest?: string }) => (
  <div role="alert" className="mx-auto grid max-w-[420px] gap-4 px-5 py-[14vh]">
    <h1 className="text-title font-semibold tracking-tight">This page could not be loaded</h1>
    <p className="text-muted">
      The server failed to answer. Nothing you saved is lost and nothing was charged for this. Try again; if it keeps
      failing, the service may be cut off from its database.
    </p>
    {digest && (
      <p className="text-caption text-muted">
        In the log: <span className="num">{digest}</span>
      </p>
    )}
    <div>
      <Button kind="primary" onClick={() => window.location.reload()}>
        Try again
      </Button>
    </div>
  </div>
)
