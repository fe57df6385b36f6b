import type { ReactNode } from 'react'
import { cn } from './cn'

/** A page's title, a sentence about it, and its main action. */
export const Title = ({ title, note, action }: { title: ReactNode; note?: ReactNode; action?: ReactNode }) => (
  <header className="mb-5 flex flex-wrap items-start gap-x-6 gap-y-3">
    <div className="min-w-0 flex-1 basis-60">
      <h1 className="text-title font-semibold tracking-tight text-balance break-words">{title}</h1>
      {note && <p className="text-muted">{note}</p>}
    </div>
    {action && <div className="flex items-center gap-2">{action}</div>}
  </header>
)

/** A part of a page with a heading. */
export const Section = ({
  title,
  aside,
  className,
  children,
}: {
  title: string
  aside?: ReactNode
  className?: string
  children: ReactNode
}) => (
  <section className={cn('min-w-0', className)}>
    <div className="mb-2 flex min-h-7 items-center justify-between gap-3">
      <h2 className="font-semibold">{title}</h2>
      {aside}
    </div>
    {children}
  </section>
)

export const Card = ({ className, children }: { className?: string; children: ReactNode }) => (
  <div className={cn('rounded border bg-raised p-4', className)}>{children}</div>
)

/** An empty state: what would be here, and how to make it appear. */
export const Empty = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="rounded border border-dashed border-line-strong px-5 py-6">
    <p className="mb-1 font-medium">{title}</p>
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 text-muted">{children}</div>
  </div>
)

/** Names and their values, in two columns. */
export const Facts = ({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="divide-y">
    {rows.map(([name, value]) => (
      <div key={name} className="grid grid-cols-[9.5rem_1fr] gap-3 py-1.5">
        <dt className="text-muted">{name}</dt>
        <dd className="min-w-0 break-words">{value}</dd>
      </div>
    ))}
  </dl>
)

type NoticeTone = 'warn' | 'bad' | 'good'
const NOTICE: Record<NoticeTone, string> = {
  warn: 'bg-warn-weak text-warn',
  bad: 'bg-bad-weak text-bad',
  good: 'bg-good-weak text-good',
}

/** A message about something that happened or needs attention. */
export const Notice = ({ tone, children }: { tone: NoticeTone; children: ReactNode }) => (
  <p role={tone === 'bad' ? 'alert' : 'status'} className={cn('rounded px-3 py-2 text-table', NOTICE[tone])}>
    {children}
  </p>
)
