import type { Metadata } from 'next'
import Link from 'next/link'
import { ModelStateTable } from '@/components/operators/model-table'
import { Empty, Title } from '@/components/ui/page'
import { operatorsApi } from '../operators-api'

export const metadata: Metadata = { title: 'Models and prices' }

export default async function OperatorModelsPage() {
  const { modelsFile, models } = await (await operatorsApi()).providers()
  return (
    <>
      <Title
        title="Models and prices"
        note={modelsFile ? `From MODELS_FILE, ${modelsFile}.` : 'The simulated models: MODELS_FILE is not set.'}
      />
      {models.length > 0 ? (
        <ModelStateTable rows={models} />
      ) : (
        <Empty title="No models">
          <p>
            Set MODELS_FILE. <span className="num">npm run admin -- models import</span> writes one from a provider’s
            list.
          </p>
        </Empty>
      )}
      <p className="mt-3 max-w-prose text-caption text-muted">
        Upstreams of a model are asked in this order, at every call; none is left out after a failure. Changes of the
        file hold once{' '}
        <Link href="/operators/settings" className="underline underline-offset-2">
          the settings are read again
        </Link>
        . <span className="num">npm run admin -- models check</span> makes a small call at each.
      </p>
    </>
  )
}
