import type { Metadata } from 'next'
import { isModelKind } from '@/components/models/filter-models'
import { ModelTable } from '@/components/models/model-table'
import { NoModels } from '@/components/models/no-models'
import { Title } from '@/components/ui/page'
import { dashboardApi } from '../../dashboard-api'

export const metadata: Metadata = { title: 'Models' }

type Search = Promise<Record<string, string | string[] | undefined>>

export default async function ModelsPage({ searchParams }: { searchParams: Search }) {
  const { q, kind, model } = await searchParams
  const api = await dashboardApi()
  const [{ models, tools }, figures, me] = await Promise.all([
    api.models.list(),
    api.models.figures(),
    api.account.me(),
  ])
  // Where everything is simulated, the banner says so once.
  const shown = models.map((one) => ({ ...one, simulated: me.isMixed && one.simulated }))
  const first = {
    q: typeof q === 'string' ? q.slice(0, 200) : '',
    kind: isModelKind(kind) ? kind : null,
    model: typeof model === 'string' ? model : null,
  }
  return (
    <>
      <Title
        title="Models"
        note="Models for chat completions, agents and media tools. Prices are per million tokens; dollars at the reference rate. Times, failures and usual cost are those of your latest calls."
      />
      {models.length === 0 ? (
        <NoModels isOperator={me.isAdmin} />
      ) : (
        <ModelTable
          models={shown}
          figures={figures}
          tools={tools}
          baseUrl={me.baseUrl}
          rate={me.creditsPerUsd}
          first={first}
        />
      )}
    </>
  )
}
