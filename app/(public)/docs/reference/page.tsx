import type { Metadata } from 'next'
import { LinkList } from '@/components/docs/link-list'
import { MethodBadge } from '@/components/docs/method-badge'
import { Title } from '@/components/ui/page'
import { server } from '../../../server'

export const metadata: Metadata = { title: 'Reference' }

export default async function ReferencePage() {
  const byTag = Map.groupBy(await server().readReference(), ({ tag }) => tag)
  return (
    <>
      <Title
        title="Reference"
        note="Every operation, with what it takes, what it returns, and a form that sends it with a key of yours."
      />
      <div className="grid gap-8">
        {[...byTag].map(([tag, operations]) => (
          <LinkList
            key={tag}
            title={tag}
            links={operations.map(({ id, method, path, summary }) => ({
              href: `/docs/reference/${id}`,
              title: (
                <span className="flex items-baseline gap-2">
                  <MethodBadge method={method} />
                  <span className="num [overflow-wrap:anywhere]">{path}</span>
                </span>
              ),
              note: summary,
            }))}
          />
        ))}
      </div>
    </>
  )
}
