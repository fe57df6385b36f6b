import { lazy, Suspense, useState } from 'react'
import type { ChatCode } from './code'

const CodeLanguages = lazy(() => import('./code-languages').then(({ CodeLanguages }) => ({ default: CodeLanguages })))

/** The next request as code; written only while it is open. */
export function CopyAsCode({ code }: { code: () => ChatCode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="min-w-0" onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary className="mb-2 text-table font-medium">Copy as code</summary>
      {isOpen && (
        <Suspense>
          <CodeLanguages of={code()} />
        </Suspense>
      )}
    </details>
  )
}
