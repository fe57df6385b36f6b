import type { Metadata } from 'next'
import Link from 'next/link'
import { redirect } from 'next/navigation'
import { NoticeRows } from '@/components/notices/notice-list'
import { type ListSearchParams, textParam, urlWith } from '@/components/ui/list-url'
import { Empty, Title } from '@/components/ui/page'
import { Pager } from '@/components/ui/pager'
import { nullIfRefused } from '../../or-not-found'
import { dashboardApi } from '../dashboard-api'

export const metadata: Metadata = { title: 'Notices' }

const PATH = '/notices'

export default async function NoticesPage({ searchParams }: { searchParams: Promise<ListSearchParams> }) {
  const cursor = textParam(await searchParams, 'cursor')
  const api = await dashboardApi()
  const list = await nullIfRefused(api.notices.list({ limit: 50, cursor }), 'invalid_request')
  // An invalid cursor: start at the newest.
  if (!list) redirect(PATH)
  return (
    <div className="max-w-[760px]">
      <Title
        title="Notices"
        note="Limits that are nearly used, runs that wait, and what has failed."
        action={
          <Link href="/settings/notices" className="text-accent underline underline-offset-2">
            What is sent to you
          </Link>
        }
      />
      {list.rows.length > 0 ? (
        <div className="rounded border bg-raised">
          <NoticeRows rows={list.rows} />
        </div>
      ) : (
        <Empty title="No notices yet">
          <p>
            When half of a budget is spent, a run waits for you, a webhook is not delivered or a key is about to expire,
            it appears here, and you can have it sent by e-mail or to a webhook.
          </p>
        </Empty>
      )}
      <Pager older={list.nextCursor && urlWith(PATH, {}, { cursor: list.nextCursor })} newest={cursor ? PATH : null} />
    </div>
  )
}
