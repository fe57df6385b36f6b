import type { OfferedModel } from '@/server/models/shape'
import { MediaPrice, TokenPrice } from '../models/price'
import { DataTable, Head, Td, Th } from '../ui/table'
import type { PriceList } from './shape'

type Props = Pick<PriceList, 'models' | 'creditsPerUsd'>

/** Models that are listed at once; the rest of a long registry is folded. */
const SHOWN = 12

const Prices = ({ of, rate }: { of: OfferedModel; rate: number }) =>
  of.image || of.video ? (
    <Td right colSpan={2} className="align-top">
      <MediaPrice of={of} rate={rate} />
    </Td>
  ) : (
    <>
      <Td right className="align-top">
        <TokenPrice credits={of.creditsPer1mInput} rate={rate} />
      </Td>
      <Td right className="align-top">
        {of.kind === 'chat' ? <TokenPrice credits={of.creditsPer1mOutput} rate={rate} /> : '—'}
      </Td>
    </>
  )

const ModelRows = ({ models, creditsPerUsd }: Props) => (
  <DataTable label="Prices of models">
    <Head>
      <Th>Models</Th>
      <Th right>Input per 1M</Th>
      <Th right>Output per 1M</Th>
    </Head>
    <tbody>
      {models.map((model) => (
        <tr key={model.id} className="border-b last:border-b-0">
          <Td>
            {model.name}
            <div className="num text-caption text-muted [overflow-wrap:anywhere]">{model.id}</div>
          </Td>
          <Prices of={model} rate={creditsPerUsd} />
        </tr>
      ))}
    </tbody>
  </DataTable>
)

/** What models cost: tokens, images or seconds. */
export function ModelPrices({ models, creditsPerUsd }: Props) {
  if (models.length === 0)
    return <p className="text-muted">This service has no models yet: the operator names them in MODELS_FILE.</p>
  const rest = models.slice(SHOWN)
  return (
    <div className="grid gap-3">
      <ModelRows models={models.slice(0, SHOWN)} creditsPerUsd={creditsPerUsd} />
      {rest.length > 0 && (
        <details>
          <summary className="mb-3 text-table text-accent">{rest.length} more models</summary>
          <ModelRows models={rest} creditsPerUsd={creditsPerUsd} />
        </details>
      )}
    </div>
  )
}
