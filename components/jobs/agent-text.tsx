'use client'

import { lazy, Suspense } from 'react'
import { Skeleton } from '../ui/skeleton'

const Markdown = lazy(() => import('../ui/markdown').then(({ Markdown: of }) => ({ default: of })))

/** What an agent wrote, as Markdown. How to draw it is loaded when there is something to draw. */
export const AgentText = ({ text }: { text: string }) => (
  <Suspense
    fallback={
      <div className="grid gap-2">
        <Skeleton className="w-3/4" />
        <Skeleton className="w-1/2" />
      </div>
    }
  >
    <Markdown text={text} />
  </Suspense>
)
