import type { ReactNode } from 'react'
import { formatCredits } from '../ui/amount'
import { Card } from '../ui/page'

type Props = { rows: readonly (readonly [name: string, value: number])[]; note?: ReactNode }

/** Numbers of an installation side by side, and a sentence about them. */
export const StateNumbers = ({ rows, note }: Props) => (
  <Card>
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-x-4 gap-y-3">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt className="text-caption text-muted">{name}</dt>
          <dd className="num text-title font-semibold">{formatCredits(value)}</dd>
        </div>
      ))}
    </dl>
    {note && <p className="mt-3 text-caption text-muted">{note}</p>}
  </Card>
)
