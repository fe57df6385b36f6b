import { Plus } from 'lucide-react'
import type { Metadata } from 'next'
import { ChatSnippets } from '@/components/connect/chat-snippets'
import { McpClients } from '@/components/connect/mcp-clients'
import { RestSnippets } from '@/components/keys/first-call-snippets'
import { NoModels } from '@/components/models/no-models'
import { ButtonLink } from '@/components/ui/button'
import { CopyBox } from '@/components/ui/copy'
import { Section, Title } from '@/components/ui/page'
import { dashboardApi } from '../dashboard-api'

export const metadata: Metadata = { title: 'Connect' }

export default async function ConnectPage() {
  const api = await dashboardApi()
  const [me, { models }] = await Promise.all([api.account.me(), api.models.list()])
  const chat = models.find(({ kind }) => kind === 'chat')
  return (
    <div className="max-w-[1200px]">
      <Title
        title="Connect"
        note="These snippets read your key from TOLLGATE_KEY. A new key comes with snippets that contain it."
        action={
          <ButtonLink kind="primary" href="/keys/new">
            <Plus className="size-4" aria-hidden />
            New key
          </ButtonLink>
        }
      />
      <div className="grid gap-8">
        <Section title="MCP clients">
          <p className="mb-3 max-w-prose text-muted">
            Use your key’s tools in any client of the Model Context Protocol, over Streamable HTTP. Listing is free. A
            call costs the same as over REST and reports its charge.
          </p>
          <div className="mb-4">
            <CopyBox label="MCP endpoint" code={`${me.baseUrl}/api/v1/mcp`} />
          </div>
          <McpClients baseUrl={me.baseUrl} secret={null} />
        </Section>
        <Section title="Tools over REST">
          <RestSnippets baseUrl={me.baseUrl} secret={null} tools="all" />
        </Section>
        <Section title="Chat models">
          <p className="mb-3 max-w-prose text-muted">
            The common chat-completions format: point an SDK at {me.baseUrl}/api/v1. The key needs access to chat
            completions.
          </p>
          {chat ? <ChatSnippets baseUrl={me.baseUrl} model={chat.id} /> : <NoModels />}
        </Section>
      </div>
    </div>
  )
}
