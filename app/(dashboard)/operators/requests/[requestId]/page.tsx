import type { Metadata } from 'next'
import Link from 'next/link'
import { RefundAct } from '@/components/operators/refund-act'
import { RequestFacts } from '@/components/operators/request-facts'
import { Section, Title } from '@/components/ui/page'
import { dashboardApi } from '../../../dashboard-api'
import { loadRequest } from '../../operators-api'

export const metadata: Metadata = { title: 'Request' }

export default async function OperatorRequestPage({ params }: { params: Promise<{ requestId: string }> }) {
  const [of, me] = await Promise.all([loadRequest((await params).requestId), (await dashboardApi()).account.me()])
  return (
    <>
      <Title
        title={<span className="num">{of.receipt.what}</span>}
        note={
          <>
            A request of{' '}
            <Link href={`/operators/owners/${of.owner.id}`} className="text-accent underline underline-offset-2">
              {of.owner.email}
            </Link>
            . What was asked and answered is not shown to operators.
          </>
        }
      />
      <div className="grid max-w-[720px] gap-8">
        <RequestFacts of={of} creditsPerUsd={me.creditsPerUsd} />
        <Section title="Actions">
          <RefundAct of={of} />
        </Section>
      </div>
    </>
  )
}
