import type { Metadata } from 'next'
import { NoModels } from '@/components/models/no-models'
import { Playground } from '@/components/playground/playground'
import { Title } from '@/components/ui/page'
import { dashboardApi } from '../dashboard-api'

export const metadata: Metadata = { title: 'Playground' }

export default async function PlaygroundPage({
  searchParams,
}: {
  searchParams: Promise<{ model?: string | string[] }>
}) {
  const { model } = await searchParams
  const api = await dashboardApi()
  const [{ models }, me, account] = await Promise.all([
    api.models.list(),
    api.account.me(),
    api.playground.historyName(),
  ])
  const chat = models.filter(({ kind }) => kind === 'chat')
  const first = chat.find(({ id }) => id === model) ?? chat[0]
  return (
    <>
      <Title title="Playground" note="Chat with a model and see what each turn costs." />
      {first ? (
        <Playground
          models={chat}
          first={first.id}
          isAsked={first.id === model}
          account={account}
          baseUrl={me.baseUrl}
          rate={me.creditsPerUsd}
        />
      ) : (
        <NoModels isOperator={me.isAdmin} />
      )}
    </>
  )
}
