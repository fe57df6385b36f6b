import type { Metadata } from 'next'
import { HoldTable } from '@/components/operators/hold-table'
import { PutAsideTable } from '@/components/operators/put-aside-table'
import { StateNumbers } from '@/components/operators/state-numbers'
import { Notice, Section, Title } from '@/components/ui/page'
import { TimeAgo } from '@/components/ui/time-ago'
import { productLabel } from '@/components/usage/receipt-labels'
import { operatorsApi } from '../operators-api'

export const metadata: Metadata = { title: 'Reserved credits' }

export default async function HoldsPage() {
  const { byProduct, oldest, waiting, inJournals, keptJournals, putAside } = await (await operatorsApi()).holds()
  const old = byProduct.reduce((sum, row) => sum + row.old, 0)
  const [first] = oldest
  return (
    <>
      <Title
        title="Reserved credits"
        note="Credits that calls in progress hold, and charges that are not written yet."
      />
      <div className="grid gap-8">
        {old > 0 && (
          <Notice tone="warn">
            {old === 1 ? '1 hold is' : `${old} holds are`} older than any call takes. Those of a process that has ended
            are released within 90 seconds; others point at a settlement that was put aside.
          </Notice>
        )}
        <StateNumbers
          rows={[
            ['Calls that hold credits', byProduct.reduce((sum, row) => sum + row.holds, 0)],
            ...byProduct.map((row) => [`${productLabel(row.product)}, credits`, row.credits] as const),
            ['Charges that wait for the database', waiting],
            ['Charges in journals', inJournals],
            ['Journals kept aside', keptJournals.length],
            ['Charges put aside', putAside.all],
          ]}
          note={
            first ? (
              <>
                The oldest was reserved <TimeAgo at={first.createdAt} />. Charges that wait are those of the process
                that made this page.
              </>
            ) : (
              'No call is in progress.'
            )
          }
        />
        {putAside.all > 0 && (
          <Section title="Charges put aside">
            <p className="mb-3 max-w-prose text-muted">
              The database refused these again and again, or has no such call. Look at what it said, fix that, and try
              the charge again; until then the reserved credits stay reserved.
            </p>
            <PutAsideTable rows={putAside.rows} />
          </Section>
        )}
        <Section title="Oldest reserved">
          {oldest.length > 0 ? <HoldTable rows={oldest} /> : <p className="text-muted">Nothing is reserved.</p>}
        </Section>
      </div>
    </>
  )
}
