import { Fragment } from 'react'
import { Credits, formatUsd } from '../ui/amount'
import { DataTable, Head, Td, Th } from '../ui/table'
import type { PriceList } from './shape'

type Props = Pick<PriceList, 'tools' | 'creditsPerUsd' | 'markup'>

/** Ids that may wrap between each other and after an underscore. */
const Ids = ({ of }: { of: readonly string[] }) =>
  of.map((id, at) => (
    <Fragment key={id}>
      {at > 0 && ', '}
      {id.split('_').map((word, part) => (
        <Fragment key={word}>
          {part > 0 && (
            <>
              _<wbr />
            </>
          )}
          {word}
        </Fragment>
      ))}
    </Fragment>
  ))

/** What a call of each tool costs. */
export const ToolPrices = ({ tools, creditsPerUsd, markup }: Props) => (
  <DataTable label="Prices of tools">
    <Head>
      <Th>Tools</Th>
      <Th right>Credits per call</Th>
    </Head>
    <tbody>
      {tools.map(({ group, credits, tools: ids }) => (
        <tr key={`${group} ${credits}`} className="border-b last:border-b-0">
          <Td>
            {group}
            <div className="num text-caption text-muted">
              <Ids of={ids} />
            </div>
          </Td>
          <Td right className="align-top">
            {credits === null ? (
              <span title="The real cost of each call, times the markup">provider’s cost × {markup}</span>
            ) : (
              <>
                <Credits value={credits} />
                <div className="num text-caption whitespace-nowrap text-muted">
                  ≈ {formatUsd(credits, creditsPerUsd)}
                </div>
              </>
            )}
          </Td>
        </tr>
      ))}
    </tbody>
  </DataTable>
)
