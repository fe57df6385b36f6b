import type { ReactNode } from 'react'
import { sideGroupsOf } from '@/components/docs/side-groups'
import { SideLinks } from '@/components/docs/side-links'
import { server } from '../../server'

export default async function DocsLayout({ children }: { children: ReactNode }) {
  const groups = sideGroupsOf(await server().publicCaller().visitor.guides())
  return (
    <div className="mx-auto grid w-full max-w-[1280px] flex-1 content-start gap-x-10 px-5 lg:grid-cols-[200px_minmax(0,1fr)]">
      <nav aria-label="Documentation" className="border-b py-3 lg:hidden">
        <details>
          <summary className="text-table font-medium">All pages</summary>
          <div className="py-4">
            <SideLinks groups={groups} />
          </div>
        </details>
      </nav>
      <nav
        aria-label="Documentation"
        className="sticky top-0 max-h-dvh self-start overflow-y-auto py-8 pr-2 pl-2 max-lg:hidden"
      >
        <SideLinks groups={groups} />
      </nav>
      <main className="min-w-0 py-8">{children}</main>
    </div>
  )
}
