import type { AnyTool } from '../../tools/define'
import { toolGroups } from '../../tools/registry'

const [START, END] = ['<!-- Tools: written by npm run generate -->', '<!-- End of tools -->']

/**
 * The README with its table of tools: a row for the tools of a group that share price and provider.
 */
export function withToolTable(readme: string): string {
  const [start, end] = [readme.indexOf(START), readme.indexOf(END)]
  if (start < 0 || end < start) throw new Error(`README.md must contain ${START} and, after it, ${END}.`)
  return `${readme.slice(0, start)}${START}\n\n${toolTable()}\n\n${readme.slice(end)}`
}

function toolTable(): string {
  const rows = toolGroups.flatMap(({ tools, provider }) => {
    const byFacts = Map.groupBy(tools, (tool) => `${priceOf(tool)} | ${tool.provider ?? provider}`)
    return [...byFacts].map(([facts, same]) => `| ${same.map(({ id }) => `\`${id}\``).join(', ')} | ${facts} |`)
  })
  return ['| Tool | Credits | Provider |', '| --- | --- | --- |', ...rows].join('\n')
}

const priceOf = ({ pricing }: AnyTool): string =>
  pricing.kind === 'fixed' ? String(pricing.credits) : "metered: the provider's cost plus markup"
