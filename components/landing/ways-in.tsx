import Link from 'next/link'
import type { ReactNode } from 'react'
import { claudeCodeMcp } from '../connect/mcp-configs'
import { CodeExample } from '../docs/code-example'
import { CodeText } from '../docs/code-text'
import { LINK } from '../ui/external-link'

type Props = { baseUrl: string; tools: number; models: number; model: string | null }

/** A POST with curl in short lines, for a narrow column. */
const post = (url: string, body: readonly string[]): string =>
  [
    `curl ${url} \\`,
    '  -H "Authorization: Bearer $TOLLGATE_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{${body.join(',\n       ')}}'`,
  ].join('\n')

const Snippet = ({ label, code }: { label: string; code: string }) => (
  <CodeExample variants={[{ label, code, body: <CodeText language="sh" code={code} /> }]} />
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
export const WaysIn = ({ baseUrl, tools, models, model }: Props) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-4 border-t pt-6 lg:grid-cols-3">
    <Way title={`${tools} tools`} href="/docs/first-call" more="First call">
      <p className="text-muted">
        Search, pages, screenshots, prices, forums, videos, homes and scrapers, each at a price per call.
      </p>
      <Snippet
        label="A tool call"
        code={post(`${baseUrl}/api/v1/query`, ['"tool": "web_search"', '"params": {"query": "toll roads"}'])}
      />
    </Way>
    <Way title={models === 1 ? '1 model' : `${models} models`} href="/docs/chat" more="SDKs">
      <p className="text-muted">Chat, embeddings and images, for the SDKs and coding agents that you use already.</p>
      <Snippet
        label="A chat completion"
        code={post(`${baseUrl}/api/v1/chat/completions`, [
          `"model": "${model ?? 'provider/model'}"`,
          '"messages": [',
          '{"role": "user", "content": "Hi"}]',
        ])}
      />
    </Way>
    <Way title="Agents and MCP" href="/docs/agents" more="Agents">
      <p className="text-muted">
        Give a goal and a spend limit: a run survives restarts, and asks before it destroys anything.
      </p>
      <Snippet
        label="An agent run"
        code={post(`${baseUrl}/api/v1/agent`, [
          '"goal": "Compare alpine tolls"',
          '"idempotencyKey": "alps-1", "wait": true',
        ])}
      />
    </Way>
    <div className="-mt-4 lg:col-span-3">
      <Snippet
        label="The tools in Claude Code; the Connect page has the same for other clients"
        code={claudeCodeMcp({ baseUrl, secret: null }).replace(' \\\n ', '')}
      />
    </div>
  </div>
)
