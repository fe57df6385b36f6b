import type { ReactNode } from 'react'
import { DocsSearch } from '@/components/docs/docs-search'
import { sideGroupsOf } from '@/components/docs/side-groups'
import { SideLinks } from '@/components/docs/side-links'
import { Island } from '@/components/islands/island'
import { server } from '../../server'

export default async function DocsLayout({ children }: { children: ReactNode }) {
  const { visitor } = server().publicCaller()
  const [guides, tools, operations] = await Promise.all([visitor.guides(), visitor.tools(), server().readReference()])
  const groups = sideGroupsOf({ guides, tools, operations })
  return (
    <div className="mx-auto grid w-full max-w-[1280px] flex-1 content-start gap-x-10 px-5 lg:grid-cols-[200px_minmax(0,1fr)]">
      <div className="top-0 z-10 self-start max-lg:grid max-lg:gap-3 max-lg:border-b max-lg:py-3 lg:sticky lg:flex lg:max-h-dvh lg:flex-col lg:pt-6">
        <Island name="DocsSearch" of={DocsSearch} props={{}} />
        <details className="lg:hidden">
          <summary className="text-table font-medium">All pages</summary>
          <nav aria-label="Documentation" className="px-2 py-4">
            <SideLinks groups={groups} />
          </nav>
        </details>
        <nav aria-label="Documentation" className="relative min-h-0 overflow-y-auto px-2 py-6 max-lg:hidden">
          <SideLinks groups={groups} />
        </nav>
      </div>
      <main className="min-w-0 py-8">{children}</main>
    </div>
  )
}
