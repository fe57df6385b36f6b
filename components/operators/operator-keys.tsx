'use client'

import Link from 'next/link'
import { useState } from 'react'
import type { KeyView } from '@/server/keys/shape'
import { KeyBudget } from '../keys/key-budget'
import { KeyStateBadge } from '../keys/key-state'
import { secretHint } from '../keys/scopes'
import { Button } from '../ui/button'
import { DataTable, Head, Td, Th } from '../ui/table'
import { TimeAgo } from '../ui/time-ago'
import { KeyLimitActs } from './key-limit-acts'

/** An owner's keys with their limits, which an operator may change. */
export function OperatorKeys({ ownerId, rows }: { ownerId: number; rows: readonly KeyView[] }) {
  const [openId, setOpenId] = useState<number | null>(null)
  return (
    <DataTable label="Keys">
      <Head>
        <Th>Key</Th>
        <Th>Budget</Th>
        <Th wide right>
          Per minute
        </Th>
        <Th wide>Last used</Th>
        <Th>
          <span className="sr-only">Actions</span>
        </Th>
      </Head>
      <tbody>
        {rows.map((key) => [
          <tr key={key.id} className="border-b">
            <Td className="min-w-24 break-words">
              <span className="mr-2 font-medium">
                <bdi>{key.name}</bdi>
              </span>
              <KeyStateBadge state={key.state} />
              <div className="num text-caption text-muted">{secretHint(key, key.last4)}</div>
            </Td>
            <Td>
              <KeyBudget of={key} />
            </Td>
            <Td wide right className="num">
              {key.rpm}
            </Td>
            <Td wide className="text-muted">
              {key.lastUsedAt ? <TimeAgo at={key.lastUsedAt} /> : 'Never'}
            </Td>
            <Td right>
              <Link
                href={`/operators/owners/${ownerId}/requests?keyId=${key.id}`}
                prefetch={false}
                className="mr-3 text-accent underline"
              >
                Requests<span className="sr-only"> of {key.name}</span>
              </Link>
              {key.state !== 'revoked' && (
                <Button
                  size="small"
                  aria-expanded={openId === key.id}
                  onClick={() => setOpenId(openId === key.id ? null : key.id)}
                >
                  Change<span className="sr-only"> {key.name}</span>
                </Button>
              )}
            </Td>
          </tr>,
          openId === key.id && (
            <tr key={`${key.id} acts`} className="border-b">
              <td colSpan={5} className="p-3">
                <KeyLimitActs of={key} />
              </td>
            </tr>
          ),
        ])}
      </tbody>
    </DataTable>
  )
}
