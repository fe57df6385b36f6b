import Link from 'next/link'
import type { ReactNode } from 'react'
import { claudeCodeMcp } from '../connect/mcp-configs'
import { CodeExample } from '../docs/code-example'
import { Island } from '../islands/island'
import { LINK } from '../ui/external-link'
import { landingCalls } from './calls'

/** `groups`: of the tools, in words. */
type Props = { baseUrl: string; tools: number; groups: string[]; models: number; model: string | null }

const Snippet = ({ label, code }: { label: string; code: string }) => (
  <Island name="CodeExample" of={CodeExample} props={{ id: label, variants: [{ label, code }] }} />
)

const Way = ({ title, href, more, children }: { title: string; href: string; more: string; children: ReactNode }) => (
  <section className="min-w-0">
    <h2 className="mb-1 flex items-baseline justify-between gap-3 font-semibold">
      {title}
      <Link href={href} prefetch={false} className={`${LINK} text-table font-normal`}>
        {more}
      </Link>
    </h2>
    {children}
  </section>
)

/** The three things that a key is for, each with a call to paste. */
export function WaysIn({ baseUrl, tools, groups, models, model }: Props) {
  const calls = landingCalls(baseUrl, model ?? 'provider/model')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-4 border-t pt-6 lg:grid-cols-3">
      <Way title={`${tools} tools`} href="/docs/first-call" more="First call">
        <p className="text-muted lg:min-h-[4.125rem]">{[...new Set(groups)].join(', ')}: each call at its price.</p>
        <Snippet label="A tool call" code={calls.tool} />
      </Way>
      <Way title={models === 1 ? '1 model' : `${models} models`} href="/docs/chat" more="SDKs">
        <p className="text-muted lg:min-h-[4.125rem]">
          Chat, embeddings and images, for the SDKs and coding agents that you use already.
        </p>
        <Snippet label="A chat completion" code={calls.chat} />
      </Way>
      <Way title="Agents and MCP" href="/docs/agents" more="Agents">
        <p className="text-muted lg:min-h-[4.125rem]">
          Give a goal and a spend limit: a run survives restarts, and asks before it destroys anything.
        </p>
        <Snippet label="An agent run" code={calls.agent} />
      </Way>
      <div className="-mt-4 lg:col-span-3">
        <Snippet
          label="The tools in Claude Code; the Connect page has the same for other clients"
          code={claudeCodeMcp({ baseUrl, secret: null }).replace(' \\\n ', '')}
        />
      </div>
    </div>
  )
}
