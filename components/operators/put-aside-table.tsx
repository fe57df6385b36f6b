'use client'

import Link from 'next/link'
import { useTRPCClient } from '../trpc'
import { formatCredits } from '../ui/amount'
import { ShortId } from '../ui/copy'
import { DataTable, Head, Td, Th } from '../ui/table'
import { TimeAgo } from '../ui/time-ago'
import { Act } from './act'
import type { OperatorHolds } from './views'

/** Charges that the database refused, each with a button that tries it again. */
export function PutAsideTable({ rows }: { rows: OperatorHolds['putAside']['rows'] }) {
  const operators = useTRPCClient().operators
  return (
    <DataTable label="Charges put aside">
      <Head>
        <Th>Since</Th>
        <Th>Owner</Th>
        <Th>What the database said</Th>
        <Th>
          <span className="sr-only">Actions</span>
        </Th>
      </Head>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} className="border-b last:border-b-0">
            <Td className="text-muted">
              <TimeAgo at={row.at} />
            </Td>
            <Td className="min-w-0 wrap-anywhere">
              <Link href={`/operators/owners/${row.ownerId}`} className="underline underline-offset-2">
                {row.ownerEmail ?? `owner ${row.ownerId}`}
              </Link>
              <ShortId id={row.id} />
            </Td>
            <Td className="min-w-0 wrap-anywhere">
              {row.error}
              <span className="block text-caption text-muted">
                {row.attempts} attempts
                {row.held === null ? ', its hold has ended' : `, ${formatCredits(row.held)} credits reserved`}
              </span>
            </Td>
            <Td right>
              <Act
                label="Try again"
                question={
                  <>
                    Charge <strong className="font-semibold">{row.ownerEmail ?? `owner ${row.ownerId}`}</strong> what
                    this call cost, and release the rest?
                  </>
                }
                kept="The charge is still put aside."
                run={() => operators.retrySettlement.mutate({ id: row.id })}
              />
            </Td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  )
}
