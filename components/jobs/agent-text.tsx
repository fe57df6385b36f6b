'use client'

import { lazy, Suspense } from 'react'
import { Skeleton } from '../ui/skeleton'

const Markdown = lazy(() => import('../ui/markdown').then(({ Markdown: of }) => ({ default: of })))

const LINE_CHARS = 80
const LINE_PX = 22

/** About the height that a text takes, so that little moves when it is drawn. */
const heightOf = (text: string): number =>
  text.split('\n').reduce((sum, line) => sum + Math.ceil(line.length / LINE_CHARS) * LINE_PX, 0)

/**
 * What an agent wrote, as Markdown. How to draw it is loaded when there is something to draw.
 * `idPrefix`: of its headings, where a page has several texts.
 */
export const AgentText = ({ text, idPrefix }: { text: string; idPrefix?: string }) => (
  <Suspense
    fallback={
      <div className="grid content-start gap-2" style={{ minHeight: heightOf(text) }}>
        <Skeleton className="w-3/4" />
        <Skeleton className="w-1/2" />
      </div>
    }
  >
    <Markdown text={text} idPrefix={idPrefix} />
  </Suspense>
)
