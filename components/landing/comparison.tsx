import { ExternalLink } from '../ui/external-link'
import { DataTable, Head, Td, Th } from '../ui/table'

/** What a page of the product's own documentation, code or tracker says, and its address. */
type Said = { text: string; source: string; isAhead?: true; also?: Said }

type Compared = { what: string; here: string; litellm: Said; portkey: Said; openrouter: Said }

const LITELLM = 'https://docs.litellm.ai/docs'
const PORTKEY = 'https://portkey.ai/docs'
const PORTKEY_CODE = 'https://github.com/Portkey-AI/gateway'
const OPENROUTER = 'https://openrouter.ai/docs'

const ROWS: readonly Compared[] = [
  {
    what: 'Hosted by yourself',
    here: 'All of it: gateway, dashboard, ledger, worker',
    litellm: { text: 'Yes', source: `${LITELLM}/simple_proxy` },
    portkey: { text: 'The gateway is open source', source: PORTKEY_CODE },
    openrouter: { text: 'A service with one address', source: `${OPENROUTER}/quickstart` },
  },
  {
    what: 'Chat models behind one key',
    here: 'In the formats of OpenAI and Anthropic',
    litellm: { text: 'In both formats, and others', source: 'https://github.com/BerriAI/litellm' },
    portkey: { text: 'With the SDK of OpenAI or its own', source: `${PORTKEY}/api-reference` },
    openrouter: { text: 'With the SDK of OpenAI or its own', source: `${OPENROUTER}/quickstart` },
  },
  {
    what: 'Models and providers',
    here: 'Those that the operator lists',
    litellm: { text: 'More than 100 providers', source: `${LITELLM}/simple_proxy`, isAhead: true },
    portkey: { text: 'More than 1 600 models', source: PORTKEY_CODE, isAhead: true },
    openrouter: { text: 'Hundreds of models', source: `${OPENROUTER}/quickstart`, isAhead: true },
  },
  {
    what: 'Other providers when one fails',
    here: 'Other upstreams of the same model, in their order',
    litellm: { text: 'Fallbacks, load balancing, retries', source: `${LITELLM}/simple_proxy`, isAhead: true },
    portkey: { text: 'Fallbacks, load balancing, retries', source: PORTKEY_CODE, isAhead: true },
    openrouter: { text: 'Fallbacks', source: `${OPENROUTER}/quickstart`, isAhead: true },
  },
  {
    what: 'Tools on the same balance',
    here: 'Search, pages, data and media, called by code, models and agents',
    litellm: { text: 'A cost per call of an MCP tool, as configured', source: `${LITELLM}/mcp_cost` },
    portkey: { text: 'Calls of MCP servers are logged', source: `${PORTKEY}/product/mcp-gateway` },
    openrouter: {
      text: 'Web search and others that a model calls, in beta',
      source: `${OPENROUTER}/guides/features/server-tools`,
    },
  },
  {
    what: 'Agent runs that survive a crash',
    here: 'Each step is committed; another process goes on',
    litellm: { text: 'Calls agents that run elsewhere, over A2A', source: `${LITELLM}/a2a` },
    portkey: { text: 'Goes along with agent frameworks', source: `${PORTKEY}/integrations/agents` },
    openrouter: { text: 'Tools run within one request', source: `${OPENROUTER}/guides/features/server-tools` },
  },
  {
    what: 'MCP',
    here: 'Its own tools and agents, for MCP clients',
    litellm: { text: 'A gateway to other MCP servers', source: `${LITELLM}/simple_proxy`, isAhead: true },
    portkey: { text: 'A gateway to other MCP servers', source: `${PORTKEY}/product/mcp-gateway`, isAhead: true },
    openrouter: { text: 'Its catalog and test messages', source: `${OPENROUTER}/guides/overview/mcp-server` },
  },
  {
    what: 'A limit under many calls at once',
    here: 'The most a call can cost is reserved before it, in one transaction: never overspent',
    litellm: {
      text: 'Its code reserves an estimate before a call',
      source: 'https://github.com/BerriAI/litellm/blob/main/litellm/proxy/spend_tracking/budget_reservation.py',
      also: {
        text: 'an open report: calls at once pass the budget of a session',
        source: 'https://github.com/BerriAI/litellm/issues/34732',
      },
    },
    portkey: {
      text: 'Blocked once it is reached',
      source: `${PORTKEY}/guides/use-cases/enforcing-limits-and-budgets`,
    },
    openrouter: {
      text: 'Refused once what remains is zero or negative',
      source: `${OPENROUTER}/client-sdks/typescript/models/keybudget`,
    },
  },
  {
    what: 'A receipt for every call',
    here: 'Reserved, charged, released; chained by hash',
    litellm: { text: 'The cost of each request', source: `${LITELLM}/proxy/cost_tracking` },
    portkey: { text: 'The cost of each request', source: `${PORTKEY}/product/observability/cost-management` },
    openrouter: {
      text: 'The cost of each generation',
      source: `${OPENROUTER}/api/api-reference/generations/get-generation`,
    },
  },
  {
    what: 'Run for you',
    here: 'No',
    litellm: { text: 'A licence for enterprise features', source: `${LITELLM}/proxy/enterprise` },
    portkey: { text: 'Portkey Cloud', source: `${PORTKEY}/product/mcp-gateway/deployment`, isAhead: true },
    openrouter: { text: 'Yes', source: `${OPENROUTER}/quickstart`, isAhead: true },
  },
]

const OTHERS = [
  ['litellm', 'LiteLLM proxy'],
  ['portkey', 'Portkey gateway'],
  ['openrouter', 'OpenRouter'],
] as const

const Claim = ({ of: { text, source, isAhead, also } }: { of: Said }) => (
  <>
    <ExternalLink href={source}>{text}</ExternalLink>
    {also && (
      <>
        {'; '}
        <ExternalLink href={also.source}>{also.text}</ExternalLink>
      </>
    )}
    {isAhead && <span className="block text-caption text-muted">Ahead of Tollgate</span>}
  </>
)

/** What gateways that people use do beside this one, with where each of them says so. */
export const Comparison = () => (
  <section aria-labelledby="comparison" className="min-w-0 border-t pt-7">
    <h2 id="comparison" className="mb-1 font-semibold">
      Beside what people use now
    </h2>
    <p className="mb-4 max-w-[80ch] text-muted">
      As of November 2026, as the documentation of each says: every entry leads to the page that it is from, which has
      the details.
    </p>
    <DataTable label="Tollgate beside other gateways">
      <Head>
        <Th className="max-lg:sticky max-lg:left-0">
          <span className="sr-only">What</span>
        </Th>
        <Th>Tollgate</Th>
        {OTHERS.map(([id, name]) => (
          <Th key={id}>{name}</Th>
        ))}
      </Head>
      <tbody>
        {ROWS.map((row) => (
          <tr key={row.what} className="border-b align-top last:border-b-0">
            <th
              scope="row"
              className="bg-raised px-3 py-2 text-left font-medium max-lg:sticky max-lg:left-0 max-sm:min-w-28 sm:min-w-40"
            >
              {row.what}
            </th>
            <Td className="min-w-44 align-top">{row.here}</Td>
            {OTHERS.map(([id]) => (
              <Td key={id} className="min-w-40 align-top">
                <Claim of={row[id]} />
              </Td>
            ))}
          </tr>
        ))}
      </tbody>
    </DataTable>
  </section>
)
