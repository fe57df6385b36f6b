'use client'

import { useEffect, useState } from 'react'
import type { CallReceipt as ReceiptShape } from '@/server/credits/shape'
import { Credits } from '../ui/amount'
import { cn } from '../ui/cn'
import { formatDuration, formatExactTime } from '../ui/format-time'
import { KeyboardRows } from '../ui/keyboard-rows'
import { SidePanel } from '../ui/panel'
import { setUrlParams } from '../ui/set-url-params'
import { coversRow, DataTable, Head, Row, Td, Th } from '../ui/table'
import { TimeAgo } from '../ui/time-ago'
import { useTimeZone } from '../ui/time-zone'
import { ReceiptDetails } from './receipt-details'
import { ReceiptStatusBadge, receiptDurationMs } from './receipt-labels'

type Props = { rows: ReceiptShape[]; creditsPerUsd: number; opened?: ReceiptShape | null; ofOneKey?: boolean }

/** Calls, newest first; a row opens its receipt in a side panel. There j and k move to the next. */
export function ReceiptTable({ rows, creditsPerUsd, opened = null, ofOneKey = false }: Props) {
  const [shown, setShown] = useState<ReceiptShape | null>(opened)
  const timeZone = useTimeZone()
  const show = (receipt: ReceiptShape | null) => {
    setShown(receipt)
    setUrlParams({ receipt: receipt?.requestId ?? null })
  }
  useEffect(() => {
    if (!shown) return
    const onKey = ({ key }: KeyboardEvent) => {
      const at = rows.findIndex((r) => r.requestId === shown.requestId)
      const next = key === 'j' ? rows[at + 1] : key === 'k' ? rows[at - 1] : undefined
      if (next) show(next)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
  return (
    <KeyboardRows>
      <DataTable label="Calls">
        <Head>
          <Th>When</Th>
          <Th>What</Th>
          {!ofOneKey && <Th wide>Key</Th>}
          <Th wide>Status</Th>
          <Th wide right>
            Duration
          </Th>
          <Th right>Credits</Th>
        </Head>
        <tbody>
          {rows.map((row) => (
            <Row key={row.requestId} className={shown?.requestId === row.requestId ? 'bg-accent-weak' : undefined}>
              <Td className="text-muted">
                <TimeAgo at={row.at} />
              </Td>
              <Td className="max-w-72">
                <button
                  type="button"
                  data-row-go
                  onClick={() => show(row)}
                  className={cn('num max-w-full truncate text-left align-bottom focus-visible:outline-none', coversRow)}
                >
                  {row.what}
                </button>
                {row.status !== 'ok' && (
                  <span className="ml-2 lg:hidden">
                    <ReceiptStatusBadge status={row.status} />
                  </span>
                )}
              </Td>
              {!ofOneKey && (
                <Td wide className="max-w-48 truncate">
                  {row.keyName ?? <span className="text-muted">Dashboard</span>}
                </Td>
              )}
              <Td wide>
                <ReceiptStatusBadge status={row.status} />
              </Td>
              <Td wide right className="num text-muted">
                {formatDuration(receiptDurationMs(row))}
              </Td>
              <Td right>
                <Credits value={row.credits.charged} className={row.credits.charged === 0 ? 'text-muted' : undefined} />
              </Td>
            </Row>
          ))}
        </tbody>
      </DataTable>
      <SidePanel
        open={shown !== null}
        onClose={() => show(null)}
        title={<span className="num">{shown?.what}</span>}
        note={shown ? `Receipt of ${formatExactTime(shown.at, timeZone)}` : ''}
      >
        {shown && <ReceiptDetails of={shown} creditsPerUsd={creditsPerUsd} />}
      </SidePanel>
    </KeyboardRows>
  )
}
