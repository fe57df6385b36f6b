import type { Metadata } from 'next'
import Link from 'next/link'
import { buildFormFields } from '@/components/catalog/form-fields'
import { ResultType } from '@/components/catalog/result-type'
import { ToolRunner } from '@/components/catalog/tool-runner'
import { Badge } from '@/components/ui/badge'
import { CopyButton } from '@/components/ui/copy'
import { Title } from '@/components/ui/page'
import { nullIfRefused } from '../../../or-not-found'
import { dashboardApi } from '../../dashboard-api'
import { loadTool } from '../../load'

type Props = { params: Promise<{ toolId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const api = await dashboardApi()
  const tool = await nullIfRefused(api.tools.get({ tool: (await params).toolId }))
  return { title: tool?.label ?? 'Not found' }
}

export default async function ToolPage({ params }: Props) {
  const { toolId } = await params
  const api = await dashboardApi()
  const [tool, me] = await Promise.all([loadTool(toolId), api.account.me()])
  const firstPrice = await nullIfRefused(api.tools.estimate({ tool: tool.id, params: tool.example }), 'forbidden')
  return (
    <>
      <nav aria-label="Breadcrumb" className="mb-2 text-table">
        <Link href="/catalog" className="text-accent underline underline-offset-2">
          Catalog
        </Link>{' '}
        <span className="text-muted">/ {tool.group}</span>
      </nav>
      <Title title={tool.label} note={<span className="block max-w-[90ch]">{tool.description}</span>} />
      <p className="-mt-3 mb-6 flex items-center gap-1 text-muted">
        <span className="num">{tool.id}</span>
        <CopyButton text={tool.id} bare label="Copy id" />
        {me.isMixed && tool.simulated && <Badge tone="warn">simulated</Badge>}
      </p>
      <ToolRunner
        key={tool.id}
        tool={{ id: tool.id, label: tool.label, credits: tool.credits, mcp: tool.mcp }}
        fields={buildFormFields(tool)}
        example={tool.example}
        firstPrice={firstPrice}
        baseUrl={me.baseUrl}
        rate={me.creditsPerUsd}
      />
      <ResultType type={tool.result} />
    </>
  )
}
