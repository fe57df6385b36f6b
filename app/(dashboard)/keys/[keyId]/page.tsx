import type { Metadata } from 'next'
import Link from 'next/link'
import { CallSnippets } from '@/components/keys/call-snippets'
import { firstCallFor } from '@/components/keys/first-call'
import { KeyActions } from '@/components/keys/key-actions'
import { KeyGrants, KeySpend } from '@/components/keys/key-facts'
import { KeyStateBadge } from '@/components/keys/key-state'
import { ManagementFacts } from '@/components/keys/management-facts'
import { secretHint } from '@/components/keys/scopes'
import { May, MayOpen } from '@/components/shell/role'
import { formatCredits } from '@/components/ui/amount'
import { Empty, Section, Title } from '@/components/ui/page'
import { ExactTime, TimeAgo } from '@/components/ui/time-ago'
import { ReceiptTable } from '@/components/usage/receipt-table'
import { dashboardApi } from '../../dashboard-api'
import { loadKey } from '../../load'

export const metadata: Metadata = { title: 'Key' }

export default async function KeyPage({ params }: { params: Promise<{ keyId: string }> }) {
  const { keyId } = await params
  const id = Number(keyId)
  const api = await dashboardApi()
  const key = await loadKey(id)
  const [options, me, calls, refused] = await Promise.all([
    api.keys.options(),
    api.account.me(),
    api.usage.list({ keyId: id, limit: 10 }),
    api.usage.refusalTotals({ keyId: id }),
  ])
  return (
    <div className="max-w-[1200px]">
      <Title
        title={
          <span className="flex flex-wrap items-center gap-2.5">
            <bdi className="min-w-0 wrap-anywhere">{key.name}</bdi> <KeyStateBadge state={key.state} />
          </span>
        }
        note={
          <>
            <span className="num">{secretHint(key, key.last4)}</span>
            {key.madeBy !== null && key.madeBy !== me.email && <> · Made by {key.madeBy}</>}
            {key.revokedAt && (
              <>
                {' · '}Revoked <TimeAgo at={key.revokedAt} />, <ExactTime at={key.revokedAt} />
              </>
            )}
          </>
        }
      />
      <May to={key.management ? 'keys.createManagement' : 'keys.change'}>
        <div className="mb-6 max-w-[720px]">
          <KeyActions of={key} baseUrl={me.baseUrl} options={options} />
        </div>
      </May>
      <div className="grid items-start gap-x-6 gap-y-6 lg:grid-cols-2">
        {key.management ? (
          <Section title="Management">
            <ManagementFacts of={key.management} />
          </Section>
        ) : (
          <Section title="Spend">
            <KeySpend of={key} creditsPerUsd={me.creditsPerUsd} />
          </Section>
        )}
        <Section title="Access">
          <KeyGrants of={key} options={options} />
        </Section>
        {key.state !== 'revoked' && !key.management && (
          <Section title="Call it from your code" className="lg:col-span-2">
            <CallSnippets baseUrl={me.baseUrl} secret={null} call={firstCallFor(key, options)} />
            <MayOpen as="developer">
              <p className="mt-3 text-muted">
                Coding agents, SDKs and MCP clients are on{' '}
                <Link href={`/connect?key=${id}`} className="text-accent underline underline-offset-2">
                  Connect
                </Link>
                .
              </p>
            </MayOpen>
          </Section>
        )}
        {!key.management && (
          <Section
            title="Recent calls"
            className="lg:col-span-2"
            aside={
              <span className="flex flex-wrap justify-end gap-x-4 text-table text-accent">
                {key.agent && (
                  <Link href={`/jobs?keyId=${id}`} className="underline underline-offset-2">
                    Its jobs
                  </Link>
                )}
                <Link href={`/usage/refused?keyId=${id}`} className="underline underline-offset-2">
                  {refused.requests > 0 ? `${formatCredits(refused.requests)} refused in 24 hours` : 'Refused calls'}
                </Link>
                <Link href={`/usage?keyId=${id}`} className="underline underline-offset-2">
                  All calls of this key
                </Link>
              </span>
            }
          >
            {calls.rows.length > 0 ? (
              <ReceiptTable rows={calls.rows} creditsPerUsd={me.creditsPerUsd} ofOneKey />
            ) : (
              <Empty title="No calls yet">
                <p>
                  {key.state === 'revoked'
                    ? 'This key was revoked before it was used.'
                    : 'Calls with this key appear here with what they cost. Use a snippet above to make the first.'}
                </p>
              </Empty>
            )}
          </Section>
        )}
      </div>
    </div>
  )
}
