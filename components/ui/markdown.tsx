import MarkdownToJsx, { type MarkdownToJSX, RuleType } from 'markdown-to-jsx/react'
import { type ComponentProps, lazy } from 'react'
import { headingId } from '@/server/guides/shape'
import { type ChartBlock, parseChart } from '../charts/chart-block'
import { cn } from './cn'
import { ExternalLink, LINK } from './external-link'
import { limitNesting } from './limit-nesting'
import { SafeImage } from './safe-image'
import { WhenSeen } from './when-seen'

// Scales and lines are for those who see a chart.
const ValueChart = lazy(() => import('../charts/value-chart').then(({ ValueChart: of }) => ({ default: of })))

const shared: MarkdownToJSX.Overrides = {
  p: { props: { className: 'my-2 max-w-[80ch] first:mt-0 last:mb-0' } },
  ul: { props: { className: 'my-2 list-disc pl-5' } },
  ol: { props: { className: 'my-2 list-decimal pl-5' } },
  blockquote: { props: { className: 'my-2 border-l-2 pl-3 text-muted' } },
  code: { props: { className: 'num' } },
  // A scrolling region must be reachable by keyboard.
  pre: {
    props: { tabIndex: 0, className: 'num my-3 max-h-96 overflow-auto rounded border bg-sunken p-3 text-caption' },
  },
  table: {
    component: (props: ComponentProps<'table'>) => (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      <div tabIndex={0} className="scroll-edges my-3 overflow-x-auto [overflow-wrap:normal]">
        <table {...props} className="w-full border-collapse text-table" />
      </div>
    ),
  },
  th: { props: { className: 'border-b px-2 py-1 text-left font-semibold' } },
  td: { props: { className: 'border-b px-2 py-1 align-top' } },
}

const Heading = ({ className, ...rest }: ComponentProps<'h3'>) => (
  <h3 {...rest} className={cn('mt-4 mb-1 font-semibold first:mt-0', className)} />
)

/**
 * Untrusted text: headings below those of the page, links to other sites, images of other hosts as
 * links.
 */
const untrustedOverrides: MarkdownToJSX.Overrides = {
  ...shared,
  ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [name, { component: Heading }])),
  a: { component: ExternalLink },
  img: { component: SafeImage },
}

const trustedOverrides: MarkdownToJSX.Overrides = {
  ...shared,
  h1: { props: { className: 'mb-3 text-title font-semibold' } },
  h2: { props: { className: 'mt-10 mb-3 scroll-mt-4 border-b pb-1 text-[1.0625rem] font-semibold' } },
  h3: { props: { className: 'num mt-6 mb-2 scroll-mt-4 font-semibold' } },
  a: { props: { className: LINK } },
}

/** About the height of a chart: a line's is always the same, bars have one a row. */
const heightOf = ({ type, rows }: ChartBlock) => (type === 'line' ? 280 : 66 + rows.length * 25)

/** A `chart` block is drawn; one that cannot be read stays the code that it is. */
const drawCharts: MarkdownToJSX.Options['renderRule'] = (next, node, _children, { key }) => {
  const chart = node.type === RuleType.codeBlock && node.lang === 'chart' ? parseChart(node.text) : null
  if (!chart) return next()
  return (
    <WhenSeen key={key} height={heightOf(chart)}>
      <ValueChart chart={chart} />
    </WhenSeen>
  )
}

type MarkdownProps = { text: string; trusted?: boolean; idPrefix?: string }

/**
 * Markdown without raw HTML: tags are shown as text. `trusted`: written by us, not by a user or
 * model. What users and models write may have charts. `idPrefix`: of the ids of headings.
 */
export const Markdown = ({ text, trusted = false, idPrefix = '' }: MarkdownProps) => (
  <div className="min-w-0 [overflow-wrap:anywhere]">
    <MarkdownToJsx
      options={{
        disableParsingRawHTML: true,
        forceBlock: true,
        slugify: (text) => idPrefix + headingId(text),
        overrides: trusted ? trustedOverrides : untrustedOverrides,
        ...(!trusted && { renderRule: drawCharts }),
      }}
    >
      {limitNesting(text)}
    </MarkdownToJsx>
  </div>
)
