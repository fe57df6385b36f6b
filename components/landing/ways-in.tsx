import Link from 'next/link'
import type { ReactNode } from 'react'
import { claudeCodeMcp } from '../connect/mcp-configs'
import { CodeExample } from '../docs/code-example'
import { CodeText } from '../docs/code-text'
import { chatCurl, curlPost, sampleChat } from '../models/snippets'
import { LINK } from '../ui/external-link'

type Props = { baseUrl: string; tools: number; models: number; model: string | null }

const TOOL_CALL = { tool: 'web_search', params: { query: 'toll roads in the alps' } }
const AGENT_RUN = {
  goal: 'Compare the tolls of alpine passes, with sources.',
  idempotencyKey: 'alps-1',
  wait: true,
}

const Snippet = ({ label, code }: { label: string; code: string }) => (
  <CodeExample variants={[{ label, code, body: <CodeText language="sh" code={code} /> }]} />
)

const Way = ({ title, href, more, children }: { title: string; href: string; more: string; children: ReactNode }) => (
  <section className="flex min-w-0 flex-col">
    <h2 className="mb-1 font-semibold">{title}</h2>
    {children}
    <p className="mt-auto">
      <Link href={href} prefetch={false} className={LINK}>
        {more}
      </Link>
    </p>
  </section>
)

/** The three things that a key is for, each with a call to paste. */
export const WaysIn = ({ baseUrl, tools, models, model }: Props) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-8 border-t pt-7 lg:grid-cols-3">
    <Way title={`${tools} tools`} href="/docs/first-call" more="Make a first call">
      <p className="text-muted">
        Search, pages, screenshots, prices, forums, videos, homes and actors over REST, each at a price per call.
      </p>
      <Snippet label="A tool call" code={curlPost(`${baseUrl}/api/v1/query`, TOOL_CALL)} />
    </Way>
    <Way title={models === 1 ? '1 model' : `${models} models`} href="/docs/chat" more="Use an SDK">
      <p className="text-muted">
        Chat completions, responses, messages, embeddings and images, with the SDKs and coding agents that you have.
      </p>
      <Snippet label="A chat completion" code={chatCurl(baseUrl, sampleChat(model ?? 'provider/model'))} />
    </Way>
    <Way title="Agents and MCP" href="/docs/agents" more="Start an agent run">
      <p className="text-muted">
        Give a goal and a spend limit: a run survives restarts and asks before it destroys or publishes.
      </p>
      <Snippet label="An agent run" code={curlPost(`${baseUrl}/api/v1/agent`, AGENT_RUN)} />
      <Snippet label="The tools in Claude Code" code={claudeCodeMcp({ baseUrl, secret: null })} />
    </Way>
  </div>
)
