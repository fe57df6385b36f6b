import type { Metadata } from 'next'
import { fillRequired } from '@/components/catalog/fill-required'
import { buildFormFields } from '@/components/catalog/form-fields'
import { ToolTable } from '@/components/catalog/tool-table'
import { Empty, Title } from '@/components/ui/page'
import { dashboardApi } from '../../dashboard-api'

export const metadata: Metadata = { title: 'Catalog' }

type Search = Promise<Record<string, string | string[] | undefined>>

export default async function CatalogPage({ searchParams }: { searchParams: Search }) {
  const { q, group, tool } = await searchParams
  const api = await dashboardApi()
  const [offered, me] = await Promise.all([api.tools.list(), api.account.me()])
  const tools = offered.map(({ schema, ...listed }) => ({
    ...listed,
    // Where everything is simulated, the banner says so once.
    simulated: me.isMixed && listed.simulated,
    example: fillRequired(listed.example, buildFormFields({ ...listed, schema })),
  }))
  const first = {
    q: typeof q === 'string' ? q.slice(0, 200) : '',
    group: tools.find((one) => one.group === group)?.group ?? null,
    tool: typeof tool === 'string' ? tool : null,
  }
  return (
    <>
      <Title
        title="Catalog"
        note="Every tool that keys and agents can call, with its price. Open one to see its parameters and run it."
      />
      {tools.length === 0 ? (
        <Empty title="No tools yet">
          <p>This service runs in live mode and no provider is configured. The operator sets the keys of providers.</p>
        </Empty>
      ) : (
        <ToolTable tools={tools} baseUrl={me.baseUrl} rate={me.creditsPerUsd} first={first} />
      )}
    </>
  )
}
