import type { Metadata } from 'next'
import Link from 'next/link'
import { FiguresView } from '@/components/models/figures-view'
import { MODEL_KIND_LABELS } from '@/components/models/filter-models'
import { ModelFacts } from '@/components/models/model-facts'
import { ModelSnippets } from '@/components/models/model-snippets'
import { ModelTry } from '@/components/models/model-try'
import { Badge } from '@/components/ui/badge'
import { Section, Title } from '@/components/ui/page'
import { dashboardApi } from '../../dashboard-api'
import { loadModel } from '../../load'
import { type ModelParams, modelIdOf } from './model-id'

export async function generateMetadata({ params }: ModelParams): Promise<Metadata> {
  return { title: (await loadModel(modelIdOf(await params))).model.name }
}

export default async function ModelPage({ params }: ModelParams) {
  const api = await dashboardApi()
  const [{ model, tools, figures }, me] = await Promise.all([loadModel(modelIdOf(await params)), api.account.me()])
  return (
    <>
      <nav aria-label="Breadcrumb" className="mb-2 text-table">
        <Link href="/models" className="text-accent underline underline-offset-2">
          Models
        </Link>{' '}
        <span className="text-muted">/ {MODEL_KIND_LABELS[model.kind]}</span>
      </nav>
      <Title
        title={model.name}
        note={`By ${model.provider}. Prices in credits; dollars at the reference rate.`}
        action={<ModelTry of={model} tools={tools} />}
      />
      {me.isMixed && model.simulated && (
        <p className="mb-4">
          <Badge tone="warn">simulated</Badge>
        </p>
      )}
      <Section title="How it answers here" className="mb-8">
        <FiguresView of={figures} model={model.id} rate={me.creditsPerUsd} />
      </Section>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:items-start">
        <Section title="What it takes and costs">
          <ModelFacts of={model} rate={me.creditsPerUsd} />
        </Section>
        <Section title="Call it from your code">
          <ModelSnippets of={model} baseUrl={me.baseUrl} tools={tools} />
        </Section>
      </div>
    </>
  )
}
