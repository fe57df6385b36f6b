'use client'

import { useEffect, useState } from 'react'
import type { Receipt as ReceiptShape } from '@/server/credits/shape'
import { Credits } from '../ui/amount'
import { cn } from '../ui/cn'
import { SidePanel } from '../ui/panel'
import { remember } from '../ui/remember'
import { RowKeys } from '../ui/row-keys'
import { coversRow, Head, Row, Table, Td, Th } from '../ui/table'
import { exactTime, sayDuration, TimeAgo } from '../ui/time-ago'
import { Receipt } from './receipt'
import { durationOf, StatusBadge } from './words'

type Props = { rows: ReceiptShape[]; creditsPerUsd: number; opened?: ReceiptShape | null; ofOneKey?: boolean }

/** Calls, newest first; a row opens its receipt beside the list. There j and k go on to the next one. */
export function ReceiptTable({ rows, creditsPerUsd, opened = null, ofOneKey = false }: Props) {
  const [shown, setShown] = useState<ReceiptShape | null>(opened)
  const show = (receipt: ReceiptShape | null) => {
    setShown(receipt)
    remember({ receipt: receipt?.requestId ?? null })
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
    <RowKeys>
      <Table label="Calls">
        <Head>
          <Th>When</Th>
          <Th>What</Th>
          {!ofOneKey && <Th wide>Key</Th>}
          <Th wide>Status</Th>
          <Th wide right>
            Took
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
                    <StatusBadge status={row.status} />
                  </span>
                )}
              </Td>
              {!ofOneKey && (
                <Td wide className="max-w-48 truncate">
                  {row.keyName ?? <span className="text-muted">dashboard</span>}
                </Td>
              )}
              <Td wide>
                <StatusBadge status={row.status} />
              </Td>
              <Td wide right className="num text-muted">
                {sayDuration(durationOf(row))}
              </Td>
              <Td right>
                <Credits value={row.credits.charged} className={row.credits.charged === 0 ? 'text-muted' : undefined} />
              </Td>
            </Row>
          ))}
        </tbody>
      </Table>
      <SidePanel
        open={shown !== null}
        onClose={() => show(null)}
        title={<span className="num">{shown?.what}</span>}
        note={shown ? `Receipt of ${exactTime(shown.at)}` : ''}
      >
        {shown && <Receipt of={shown} creditsPerUsd={creditsPerUsd} />}
      </SidePanel>
    </RowKeys>
  )
}
