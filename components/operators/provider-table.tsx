import { Badge } from '../ui/badge'
import { DataTable, Head, Td, Th } from '../ui/table'
import { HealthBadge, HealthNumbers } from './health-text'
import type { OperatorProvider } from './views'

/** Whether a provider's tools can be called, and which variables have no value. */
function Configured({ of }: { of: OperatorProvider }) {
  if (of.missing.length === 0)
    return (
      <span>
        <Badge>Configured</Badge>
      </span>
    )
  return (
    <div className="grid gap-1">
      <span>
        <Badge tone="warn">{of.offered.length === 0 ? 'Not configured' : 'Partly configured'}</Badge>
      </span>
      <p className="text-caption text-muted wrap-anywhere">
        Not offered: <span className="num">{of.missing.join(', ')}</span>
      </p>
      {of.unset.length > 0 && (
        <p className="text-caption text-muted wrap-anywhere">
          Without a value: <span className="num">{of.unset.join(', ')}</span>
        </p>
      )}
    </div>
  )
}

/** The providers of tools: configured or not, simulated or real, and how they do. */
export const ProviderTable = ({ rows }: { rows: readonly OperatorProvider[] }) => (
  <DataTable label="Providers">
    <Head>
      <Th>Provider</Th>
      <Th wide>Settings</Th>
      <Th wide>Last hour</Th>
    </Head>
    <tbody>
      {rows.map((row) => (
        <tr key={row.id} className="border-b align-top last:border-b-0">
          <Td className="align-top">
            <p className="flex flex-wrap items-center gap-2">
              <span className="font-medium">{row.label}</span>
              <Badge tone={row.mode === 'live' ? 'accent' : 'plain'}>
                {row.mode === 'live' ? 'Real' : 'Simulated'}
              </Badge>
            </p>
            <p className="text-caption text-muted">
              {row.source} <span className="num">({row.id})</span>
            </p>
            <div className="mt-2 grid gap-2 lg:hidden">
              <Configured of={row} />
              <div>
                <HealthBadge of={row.health} />
                <HealthNumbers of={row.health} />
              </div>
            </div>
          </Td>
          <Td wide className="align-top">
            <Configured of={row} />
          </Td>
          <Td wide className="align-top">
            <HealthBadge of={row.health} />
            <HealthNumbers of={row.health} />
          </Td>
        </tr>
      ))}
    </tbody>
  </DataTable>
)
