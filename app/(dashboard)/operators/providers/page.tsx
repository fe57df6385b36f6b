import type { Metadata } from 'next'
import { ProviderTable } from '@/components/operators/provider-table'
import { Notice, Title } from '@/components/ui/page'
import { operatorsApi } from '../operators-api'

export const metadata: Metadata = { title: 'Providers' }

const MODES = {
  live: 'Every provider is real.',
  sandbox: 'Every provider is simulated.',
  mixed: 'Some providers are simulated and others real.',
}

export default async function ProvidersPage() {
  const { mode, isCut, providers } = await (await operatorsApi()).providers()
  return (
    <>
      <Title title="Providers" note={`${MODES[mode]} How calls went is read from the receipts of all owners.`} />
      {isCut && (
        <div className="mb-3">
          <Notice tone="warn">The last hour had very many calls: the numbers are those of 20,000 of them.</Notice>
        </div>
      )}
      <ProviderTable rows={providers} />
      <p className="mt-3 max-w-prose text-caption text-muted">
        <span className="num">npm run admin -- tools check</span> makes one call at each configured provider.
      </p>
    </>
  )
}
