'use client'

import Link from 'next/link'
import { useSearchParams } from 'next/navigation'
import { useMemo, useState } from 'react'
import type { OfferedModel } from '@/server/models/shape'
import { May } from '../shell/role'
import { formatCredits } from '../ui/amount'
import { Badge } from '../ui/badge'
import { Button, ButtonLink } from '../ui/button'
import { cn } from '../ui/cn'
import { CopyButton } from '../ui/copy'
import { KeyboardRows } from '../ui/keyboard-rows'
import { Empty, Section } from '../ui/page'
import { SidePanel } from '../ui/panel'
import { setUrlParams } from '../ui/set-url-params'
import { SortLink } from '../ui/sort-link'
import { sortOfUrl } from '../ui/sort-order'
import { coversRow, DataTable, Head, Row, Td } from '../ui/table'
import { failedPercent, formatFirstToken, formatPercent, formatSpeed, sortModels } from './figures'
import { filterModels, MODEL_KIND_LABELS, type ModelFilter } from './filter-models'
import { ModelFacts } from './model-facts'
import { ModelFilters } from './model-filters'
import { modelPath } from './model-path'
import { ModelSnippets } from './model-snippets'
import { MediaPrice, TokenPrice } from './price'
import type { MeasuredCalls } from './shape'

type Props = {
  models: OfferedModel[]
  figures: readonly MeasuredCalls[]
  tools: string[]
  baseUrl: string
  rate: number
  first: ModelFilter & { model: string | null }
}

/** An id that may wrap after its slash. */
const breakable = (id: string) => {
  const [provider, ...name] = id.split('/')
  return (
    <>
      {provider}/<wbr />
      {name.join('/')}
    </>
  )
}

const count = (tokens: number) => (tokens > 0 ? formatCredits(tokens) : '—')

/** Every model with its prices; a row opens its details and how to call it. */
export function ModelTable({ models, figures, tools, baseUrl, rate, first }: Props) {
  const [filter, setFilter] = useState<ModelFilter>({ q: first.q, kind: first.kind })
  const [openId, setOpenId] = useState(first.model)
  const figuresOf = useMemo(() => new Map(figures.map((one) => [one.model, one])), [figures])
  const sort = sortOfUrl(useSearchParams(), null)
  const found = sortModels(filterModels(models, filter), figuresOf, sort)
  const shown = models.find(({ id }) => id === openId)
  const choose = (next: ModelFilter) => {
    setFilter(next)
    setUrlParams({ q: next.q, kind: next.kind })
  }
  const show = (id: string | null) => {
    setOpenId(id)
    setUrlParams({ model: id })
  }
  return (
    <>
      <ModelFilters filter={filter} found={found.length} onChange={choose} />
      {found.length === 0 ? (
        <Empty title="No matching models">
          <p>None of the {models.length} models contains these words.</p>
          <div>
            <Button size="small" onClick={() => choose({ q: '', kind: null })}>
              Clear filters
            </Button>
          </div>
        </Empty>
      ) : (
        <KeyboardRows>
          <DataTable label="Models">
            <Head>
              <SortLink column="name" first="asc">
                Model
              </SortLink>
              <SortLink column="context" wide right>
                Context
              </SortLink>
              <SortLink column="first" first="asc" wide right>
                First token
              </SortLink>
              <SortLink column="speed" wide right>
                Tokens/s
              </SortLink>
              <SortLink column="failed" first="asc" wide right>
                Failed
              </SortLink>
              <SortLink column="usual" first="asc" wide right>
                Usual cost
              </SortLink>
              <SortLink column="input" first="asc" right>
                Input
              </SortLink>
              <SortLink column="output" first="asc" right>
                Output
              </SortLink>
            </Head>
            <tbody>
              {found.map((model) => (
                <ModelRow
                  key={model.id}
                  of={model}
                  figures={figuresOf.get(model.id)}
                  rate={rate}
                  open={model.id === shown?.id}
                  onOpen={() => show(model.id)}
                />
              ))}
            </tbody>
          </DataTable>
        </KeyboardRows>
      )}
      <SidePanel
        open={shown !== undefined}
        onClose={() => show(null)}
        title={shown?.name}
        note={shown ? `${MODEL_KIND_LABELS[shown.kind]}, by ${shown.provider}` : ''}
      >
        {shown && (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
            <p>
              <Link href={modelPath(shown.id)} prefetch={false} className="text-accent underline underline-offset-2">
                Open its page
              </Link>
              , with how it answers here and what a call usually costs
            </p>
            <ModelFacts of={shown} rate={rate} />
            <Section
              title="Call it from your code"
              aside={
                shown.kind === 'chat' && (
                  <May to="playground.chat">
                    <ButtonLink size="small" href={`/playground?model=${encodeURIComponent(shown.id)}`}>
                      Open in the playground
                    </ButtonLink>
                  </May>
                )
              }
            >
              <ModelSnippets key={shown.id} of={shown} baseUrl={baseUrl} tools={tools} />
            </Section>
          </div>
        )}
      </SidePanel>
    </>
  )
}

const ModelRow = ({
  of,
  figures,
  rate,
  open,
  onOpen,
}: {
  of: OfferedModel
  figures: MeasuredCalls | undefined
  rate: number
  open: boolean
  onOpen: () => void
}) => (
  <Row className={open ? 'bg-accent-weak' : undefined}>
    <Td>
      <button
        type="button"
        data-row-go
        onClick={onOpen}
        className={cn('mr-2 text-left font-medium focus-visible:outline-none', coversRow)}
      >
        {of.name}
      </button>
      <span className="inline-flex gap-1">
        {of.kind !== 'chat' && <Badge>{MODEL_KIND_LABELS[of.kind]}</Badge>}
        {of.vision && <Badge tone="accent">vision</Badge>}
        {of.simulated && <Badge tone="warn">simulated</Badge>}
      </span>
      <div className="flex items-center gap-0.5 text-caption text-muted">
        <span className="num [overflow-wrap:anywhere]">{breakable(of.id)}</span>
        <span className="relative z-1 -my-1.5">
          <CopyButton text={of.id} bare label={`Copy ${of.id}`} />
        </span>
      </div>
    </Td>
    <Td wide right className="num">
      {count(of.contextSize)}
    </Td>
    <Td wide right className="num whitespace-nowrap">
      {formatFirstToken(figures?.firstTokenMs ?? null)}
    </Td>
    <Td wide right className="num">
      {formatSpeed(figures?.tokensPerSecond ?? null)}
    </Td>
    <Td wide right className="num whitespace-nowrap">
      {figures ? formatPercent(failedPercent(figures)) : '—'}
    </Td>
    <Td wide right className="num">
      {figures && figures.charged !== null ? formatCredits(figures.charged) : '—'}
    </Td>
    {of.kind === 'chat' || of.kind === 'embedding' ? (
      <>
        <Td right>
          <TokenPrice credits={of.creditsPer1mInput} rate={rate} />
        </Td>
        <Td right>{of.kind === 'chat' ? <TokenPrice credits={of.creditsPer1mOutput} rate={rate} /> : '—'}</Td>
      </>
    ) : (
      <Td right colSpan={2}>
        <MediaPrice of={of} rate={rate} />
      </Td>
    )}
  </Row>
)
