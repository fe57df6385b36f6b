import type { ReactNode } from 'react'

/** What a form's values will mean: a name and a text, in which a line break is one. */
export type MeaningRow = readonly [name: string, text: string]

/** It is read when one gets to it, not with every letter that is typed. */
export const Meaning = ({ rows }: { rows: readonly MeaningRow[] }) => (
  <dl data-testid="meaning" className="divide-y text-table">
    {rows.map(([name, text]) => (
      <div key={name} className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-3 py-1.5">
        <dt className="text-muted">{name}</dt>
        <dd className="wrap-anywhere whitespace-pre-line">{text}</dd>
      </div>
    ))}
  </dl>
)

/**
 * The fields of a form, and beside them what they will mean, with the button that sends them; on
 * narrow windows below them.
 */
export const FormWithAside = ({ children, aside }: { children: ReactNode; aside: ReactNode }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-4 lg:grid-cols-[minmax(0,640px)_minmax(260px,1fr)]">
    <div className="min-w-0">{children}</div>
    <aside className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3 rounded border bg-raised p-4 lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem)] lg:max-w-[520px] lg:overflow-y-auto">
      {aside}
    </aside>
  </div>
)
