'use client'

import type { CallReceipt as ReceiptShape } from '@/server/credits/shape'
import { KeyboardRows } from '../ui/keyboard-rows'
import { DataTable, Head, STAYS_IN_SIGHT, Th } from '../ui/table'
import { CallRow } from './call-row'
import { useShownReceipt } from './use-shown-receipt'

type Props = { rows: ReceiptShape[]; creditsPerUsd: number; opened?: ReceiptShape | null; ofOneKey?: boolean }

/** The columns of calls. */
export const ReceiptHead = ({ ofOneKey = false }: { ofOneKey?: boolean }) => (
  <Head>
    <Th>When</Th>
    <Th>What</Th>
    {!ofOneKey && <Th wide>Key</Th>}
    <Th wide>Status</Th>
    <Th wide right>
      Duration
    </Th>
    <Th right className={STAYS_IN_SIGHT}>
      Credits
    </Th>
  </Head>
)

/** Calls, newest first; a row opens its receipt in a side panel. There j and k move to the next. */
export function ReceiptTable({ rows, creditsPerUsd, opened = null, ofOneKey = false }: Props) {
  const { shown, show, panel } = useShownReceipt(rows, opened, creditsPerUsd)
  return (
    <KeyboardRows>
      <DataTable label="Calls">
        <ReceiptHead ofOneKey={ofOneKey} />
        <tbody>
          {rows.map((row) => (
            <CallRow
              key={row.requestId}
              of={row}
              onShow={() => show(row)}
              isShown={shown?.requestId === row.requestId}
              ofOneKey={ofOneKey}
            />
          ))}
        </tbody>
      </DataTable>
      {panel}
    </KeyboardRows>
  )
}
