'use client'

import { Button } from '../ui/button'
import { CopyButton } from '../ui/copy'

/** Recovery codes, shown this once. */
export function NewRecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <section aria-label="Recovery codes" className="grid gap-3 rounded border border-warn bg-raised p-4">
      <p>
        <strong className="font-semibold">Keep these recovery codes.</strong> Each replaces a second factor once. They
        are shown now and never again.
      </p>
      <ul className="num grid grid-cols-[repeat(auto-fill,minmax(12.5rem,1fr))] gap-1" data-testid="recovery-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={codes.join('\n')} label="Copy codes" />
        <Button size="small" kind="primary" onClick={onDone}>
          I have kept them
        </Button>
      </div>
    </section>
  )
}
