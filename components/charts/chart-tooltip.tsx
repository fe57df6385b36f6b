import type { ReactNode } from 'react'

/** What a point of a chart is, beside it, on the side that is wider. */
export const ChartTooltip = ({ at, count, children }: { at: number; count: number; children: ReactNode }) => {
  const place = ((at + 0.5) / count) * 100
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute top-0 z-10 w-max max-w-[75%] rounded border bg-raised px-2.5 py-1.5 text-caption shadow-[0_4px_16px_oklch(0_0_0/0.14)]"
      style={place < 50 ? { left: `calc(${place}% + 8px)` } : { right: `calc(${100 - place}% + 8px)` }}
    >
      {children}
    </div>
  )
}
