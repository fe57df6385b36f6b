import type { Metadata } from 'next'
import { LinkList } from '@/components/docs/link-list'
import { Title } from '@/components/ui/page'
import { server } from '../../../server'

export const metadata: Metadata = { title: 'Tools' }

const priceOf = (credits: number | null) =>
  credits === null ? 'metered' : `${credits} ${credits === 1 ? 'credit' : 'credits'}`

export default async function ToolGuidesPage() {
  const byGroup = Map.groupBy(await server().publicCaller().visitor.tools(), ({ group }) => group)
  return (
    <>
      <Title title="Tools" note="Each tool’s parameters, result type and price, with a call to try." />
      <div className="grid gap-8">
        {[...byGroup].map(([group, tools]) => (
          <LinkList
            key={group}
            title={group}
            links={tools.map(({ id, summary, credits }) => ({
              href: `/docs/tools/${id}`,
              title: <span className="num">{id}</span>,
              note: summary,
              aside: priceOf(credits),
            }))}
          />
        ))}
      </div>
    </>
  )
}
