import type { Metadata } from 'next'
import Link from 'next/link'
import { LinkList } from '@/components/docs/link-list'
import { groupGuides } from '@/components/docs/side-groups'
import { Title } from '@/components/ui/page'
import { server } from '../../server'

export const metadata: Metadata = { title: 'Documentation' }

export default async function DocsPage() {
  const guides = await server().publicCaller().visitor.guides()
  return (
    <>
      <Title title="Documentation" note="Guides with examples that run as they are, and the reference." />
      <div className="grid gap-8">
        {groupGuides(guides).map(([group, listed]) => (
          <section key={group}>
            <h2 className="mb-2 font-semibold">{group}</h2>
            <ul className="grid gap-px overflow-hidden rounded border bg-line sm:grid-cols-2">
              {listed.map(({ slug, title, summary }) => (
                <li key={slug} className="relative bg-raised p-4 hover:bg-sunken sm:last:odd:col-span-2">
                  <Link
                    href={`/docs/${slug}`}
                    prefetch={false}
                    className="font-medium text-accent after:absolute after:inset-0"
                  >
                    {title}
                  </Link>
                  <p className="text-muted">{summary}</p>
                </li>
              ))}
            </ul>
          </section>
        ))}
        <LinkList
          title="Reference"
          links={[
            {
              href: '/docs/reference',
              title: 'Operations',
              note: 'Every request of the REST API, with a form to try it.',
            },
            { href: '/docs/tools', title: 'Tools', note: 'Parameters, result type and price of each tool.' },
            {
              href: '/docs/api',
              title: 'Everything on one page',
              note: 'The whole API, also as Markdown for language models.',
            },
          ]}
        />
      </div>
    </>
  )
}
