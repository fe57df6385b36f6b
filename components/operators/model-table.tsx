import { formatCredits } from '../ui/amount'
import { Badge } from '../ui/badge'
import { DataTable, Head, Td, Th } from '../ui/table'
import { HealthBadge, HealthNumbers } from './health-text'
import type { OperatorModel } from './views'

/** Images and videos are not priced by tokens. */
const Price = ({ credits, usd }: { credits: number; usd: number }) =>
  usd === 0 ? (
    <span className="text-muted">—</span>
  ) : (
    <>
      <span className="num">{formatCredits(credits)}</span>
      <span className="block text-caption text-muted">${usd}</span>
    </>
  )

const Upstreams = ({ of }: { of: OperatorModel['upstreams'] }) => (
  <ol className="grid gap-1">
    {of.map((upstream) => (
      <li key={`${upstream.host} ${upstream.model} ${upstream.api}`} className="wrap-anywhere">
        <span className="num">{upstream.host}</span> {!upstream.isConfigured && <Badge tone="warn">No key</Badge>}
        <span className="block text-caption text-muted">
          {upstream.api}, as {upstream.model}
          {!upstream.isConfigured && `: ${upstream.keyVariable} has no value`}
        </span>
      </li>
    ))}
  </ol>
)

/** The registry: each model with its prices and upstreams, in the order in which they are asked. */
export const ModelStateTable = ({ rows }: { rows: readonly OperatorModel[] }) => (
  <DataTable label="Models">
    <Head>
      <Th>Model</Th>
      <Th right>In / 1M</Th>
      <Th right>Out / 1M</Th>
      <Th wide>Upstreams</Th>
      <Th wide>Last hour</Th>
    </Head>
    <tbody>
      {rows.map((row) => (
        <tr key={row.id} className="border-b last:border-b-0">
          <Td className="align-top">
            <p className="font-medium">{row.name}</p>
            <p className="num text-caption text-muted wrap-anywhere">{row.id}</p>
            <p className="text-caption text-muted">{row.kind}</p>
            <div className="mt-2 grid gap-2 lg:hidden">
              <Upstreams of={row.upstreams} />
              <div>
                <HealthBadge of={row.health} />
                <HealthNumbers of={row.health} />
              </div>
            </div>
          </Td>
          <Td right className="align-top">
            <Price credits={row.creditsPer1mInput} usd={row.usdPer1mInput} />
          </Td>
          <Td right className="align-top">
            <Price credits={row.creditsPer1mOutput} usd={row.usdPer1mOutput} />
          </Td>
          <Td wide className="min-w-48 align-top">
            <Upstreams of={row.upstreams} />
          </Td>
          <Td wide className="min-w-52 align-top">
            <HealthBadge of={row.health} />
            <HealthNumbers of={row.health} />
          </Td>
        </tr>
      ))}
    </tbody>
  </DataTable>
)
