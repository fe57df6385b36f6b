import type { ReactNode } from 'react'
import { Badge } from '../ui/badge'
import { CopyButton } from '../ui/copy'
import { Facts, Section } from '../ui/page'
import type { ToolListItem } from './shape'
import { ToolPrice } from './tool-price'

type Param = ToolListItem['params'][number]

type Props = { of: ToolListItem; rate: number; children: ReactNode }

/** Everything a caller needs to know about a tool. Dollars are at the reference rate. */
export const ToolFacts = ({ of, rate, children }: Props) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
    <div>
      <p className="mb-3">{of.description}</p>
      <div className="mb-3">{children}</div>
      <Facts
        rows={[
          [
            'Id',
            <span key="id" className="-my-1.5 flex items-center gap-1">
              <span className="num min-w-0 break-all">{of.id}</span>
              <CopyButton text={of.id} bare label="Copy id" />
            </span>,
          ],
          ['Group', of.group],
          ['Price per call', <ToolPrice key="price" of={of} rate={rate} />],
          ['Over MCP', of.mcp ? 'yes' : 'no: calls may take longer than clients wait'],
        ]}
      />
    </div>
    <Section title="Parameters">
      <ul className="divide-y border-y">
        {of.params.map((param) => (
          <ParamRow key={param.name} of={param} />
        ))}
      </ul>
    </Section>
  </div>
)

const ParamRow = ({ of: { name, type, required, description } }: { of: Param }) => (
  <li className="py-2">
    <p className="flex flex-wrap items-baseline gap-x-2">
      <span className="num font-medium">{name}</span>
      <span className="num min-w-0 text-caption text-muted [overflow-wrap:anywhere]">{type}</span>
      {required && <Badge tone="accent">required</Badge>}
    </p>
    <p className="text-table text-muted">{description}</p>
  </li>
)
