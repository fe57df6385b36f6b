import { Plus } from 'lucide-react'
import type { Metadata } from 'next'
import { ConnectGuide } from '@/components/connect/connect-guide'
import { CallSnippets } from '@/components/keys/call-snippets'
import { SEARCH_CALL } from '@/components/keys/first-call'
import { ButtonLink } from '@/components/ui/button'
import { Section, Title } from '@/components/ui/page'
import { nullIfRefused } from '../../or-not-found'
import { dashboardApi } from '../dashboard-api'

export const metadata: Metadata = { title: 'Connect' }

type Query = { client?: string | string[]; key?: string | string[] }

const one = (value: string | string[] | undefined) => (typeof value === 'string' ? value : undefined)

export default async function ConnectPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { client, key } = await searchParams
  const api = await dashboardApi()
  const id = Number(one(key))
  const [me, { models }, chosen] = await Promise.all([
    api.account.me(),
    api.models.list(),
    id > 0 ? nullIfRefused(api.keys.get({ id }), 'not_found', 'invalid_request') : null,
  ])
  return (
    <div className="max-w-[1200px]">
      <Title
        title="Connect"
        note="Use the clients you know with a key of this service. Each recipe names this service’s address and a model that exists."
        action={
          <ButtonLink kind="primary" href="/keys/new">
            <Plus className="size-4" aria-hidden />
            New key
          </ButtonLink>
        }
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
        <Section title="Client">
          <ConnectGuide
            baseUrl={me.baseUrl}
            models={models.map(({ id, name, provider, kind, creditsPer1mOutput }) => ({
              id,
              name,
              provider,
              kind,
              creditsPer1mOutput,
            }))}
            first={{ client: one(client), key: chosen?.state === 'active' ? chosen : null }}
          />
        </Section>
        <Section title="Tools over REST">
          <CallSnippets baseUrl={me.baseUrl} secret={null} call={SEARCH_CALL} />
        </Section>
      </div>
    </div>
  )
}
