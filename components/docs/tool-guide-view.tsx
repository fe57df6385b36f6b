import type { ToolGuide } from '@/server/guides/shape'
import { toolCallMcp } from '../catalog/snippets'
import { describeMeteredPrice, ToolPrice } from '../catalog/tool-price'
import { Island } from '../islands/island'
import { CopyButton } from '../ui/copy'
import { Facts, Section } from '../ui/page'
import { CodeText } from './code-text'
import { FieldList } from './field-list'
import { RequestExample } from './request-example'
import { TryIt } from './try-it'

const PATH = '/api/v1/query'

const costOf = (tool: ToolGuide) =>
  tool.credits === null
    ? (describeMeteredPrice(tool) ?? '')
    : `Costs ${tool.credits} ${tool.credits === 1 ? 'credit' : 'credits'}.`

/** One tool: what it takes, returns and costs, as code, and to be tried. */
export function ToolGuideView({ of: tool, origin }: { of: ToolGuide; origin: string }) {
  const body = { tool: tool.id, params: tool.example }
  const overMcp = toolCallMcp({ baseUrl: origin, tool: tool.id, params: tool.example })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
      <div className="grid min-w-0 content-start gap-8">
        <Facts
          rows={[
            [
              'Id',
              <span key="id" className="-my-1.5 flex items-center gap-1">
                <span className="num min-w-0 break-all">{tool.id}</span>
                <Island name="CopyButton" of={CopyButton} props={{ text: tool.id, bare: true, label: 'Copy id' }} />
              </span>,
            ],
            ['Price per call', <ToolPrice key="price" of={tool} rate={tool.creditsPerUsd} />],
            ['Over MCP', tool.mcp ? 'yes' : 'no: calls may take longer than clients wait'],
          ]}
        />
        <Section title="Parameters">
          <FieldList fields={tool.params} />
        </Section>
        <Section title="Result">
          <div className="overflow-hidden rounded border bg-sunken">
            <CodeText code={tool.result} wraps />
          </div>
          <p className="mt-2 text-table text-muted">
            <code className="num">service.credits_charged</code> is added to it. <code className="num">Time</code> is an
            ISO 8601 time.
          </p>
        </Section>
      </div>
      <div className="min-w-0 xl:sticky xl:top-8 xl:self-start [&>:first-child>*]:mt-0">
        <RequestExample
          request={{ method: 'POST', url: origin + PATH, needsKey: true, body }}
          more={tool.mcp ? [['MCP', overMcp]] : []}
        />
        <h2 className="mt-6 mb-2 font-semibold">Try it</h2>
        <Island
          key={tool.id}
          name="TryIt"
          of={TryIt}
          props={{
            method: 'POST',
            path: PATH,
            parameters: [],
            body: JSON.stringify(body, null, 2),
            needsKey: true,
            cost: costOf(tool),
          }}
        />
      </div>
    </div>
  )
}
