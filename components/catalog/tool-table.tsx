'use client'

import { Play } from 'lucide-react'
import { Fragment, useState } from 'react'
import { Badge } from '../ui/badge'
import { Button, ButtonLink } from '../ui/button'
import { cn } from '../ui/cn'
import { CopyButton } from '../ui/copy'
import { KeyboardRows } from '../ui/keyboard-rows'
import { Empty, Section } from '../ui/page'
import { SidePanel } from '../ui/panel'
import { setUrlParams } from '../ui/set-url-params'
import { coversRow, DataTable, Head, Row, Td, Th } from '../ui/table'
import { filterTools, listToolGroups, type ToolFilter } from './filter-tools'
import type { ToolListItem } from './shape'
import { ToolFacts } from './tool-facts'
import { ToolFilters } from './tool-filters'
import { ToolPrice } from './tool-price'
import { ToolSnippets } from './tool-snippets'

type Props = {
  tools: ToolListItem[]
  baseUrl: string
  rate: number
  first: ToolFilter & { tool: string | null }
}

/** Every tool by group, with its price; a row opens its details and how to call it. */
export function ToolTable({ tools, baseUrl, rate, first }: Props) {
  const [filter, setFilter] = useState<ToolFilter>({ q: first.q, group: first.group })
  const [openId, setOpenId] = useState(first.tool)
  const found = filterTools(tools, filter)
  const shown = tools.find(({ id }) => id === openId)
  const choose = (next: ToolFilter) => {
    setFilter(next)
    setUrlParams({ q: next.q, group: next.group })
  }
  const show = (id: string | null) => {
    setOpenId(id)
    setUrlParams({ tool: id })
  }
  return (
    <>
      <ToolFilters filter={filter} groups={listToolGroups(tools)} found={found.length} onChange={choose} />
      {found.length === 0 ? (
        <Empty title="No matching tools">
          <p>None of the {tools.length} tools contains these words.</p>
          <div>
            <Button size="small" onClick={() => choose({ q: '', group: null })}>
              Clear filters
            </Button>
          </div>
        </Empty>
      ) : (
        <KeyboardRows>
          <DataTable label="Tools">
            <Head>
              <Th>Tool</Th>
              <Th wide>What it does</Th>
              <Th right>Price per call</Th>
            </Head>
            {listToolGroups(found).map((group) => (
              <tbody key={group} className="border-b last:border-b-0">
                <tr className="border-b bg-sunken">
                  <th
                    scope="rowgroup"
                    colSpan={3}
                    className="px-3 py-1.5 text-left text-caption font-medium text-muted"
                  >
                    {group}
                  </th>
                </tr>
                {found
                  .filter((tool) => tool.group === group)
                  .map((tool) => (
                    <ToolRow
                      key={tool.id}
                      of={tool}
                      rate={rate}
                      open={tool.id === shown?.id}
                      onOpen={() => show(tool.id)}
                    />
                  ))}
              </tbody>
            ))}
          </DataTable>
        </KeyboardRows>
      )}
      <SidePanel open={shown !== undefined} onClose={() => show(null)} title={shown?.label} note={shown?.group ?? ''}>
        {shown && (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
            <ToolFacts of={shown} rate={rate}>
              <ButtonLink kind="primary" size="small" href={`/catalog/${shown.id}`}>
                <Play className="size-3.5" aria-hidden />
                Run tool
              </ButtonLink>
            </ToolFacts>
            <Section title="Call it from your code">
              <ToolSnippets key={shown.id} call={{ baseUrl, tool: shown.id, params: shown.example }} mcp={shown.mcp} />
            </Section>
          </div>
        )}
      </SidePanel>
    </>
  )
}

/** An id that may wrap after an underscore. */
const breakable = (id: string) =>
  id.split('_').map((word, at) => (
    <Fragment key={word}>
      {at > 0 && (
        <>
          _<wbr />
        </>
      )}
      {word}
    </Fragment>
  ))

type RowProps = { of: ToolListItem; rate: number; open: boolean; onOpen: () => void }

const ToolRow = ({ of, rate, open, onOpen }: RowProps) => (
  <Row className={open ? 'bg-accent-weak' : undefined}>
    <Td>
      <button
        type="button"
        data-row-go
        onClick={onOpen}
        className={cn('py-0.5 text-left font-medium focus-visible:outline-none lg:whitespace-nowrap', coversRow)}
      >
        {of.label}
      </button>
      {of.simulated && (
        <span className="ml-2">
          <Badge tone="warn">simulated</Badge>
        </span>
      )}
      <div className="flex items-center gap-0.5 text-caption text-muted">
        <span className="num lg:whitespace-nowrap">{breakable(of.id)}</span>
        <span className="relative z-1 -my-1.5">
          <CopyButton text={of.id} bare label={`Copy ${of.id}`} />
        </span>
      </div>
    </Td>
    <Td wide className="text-muted">
      <span className="line-clamp-2">{of.description}</span>
    </Td>
    <Td right>
      <ToolPrice of={of} rate={rate} />
    </Td>
  </Row>
)
