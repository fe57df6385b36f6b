import { curlBlock, tableBlock, typeBlock } from '../catalog/markdown-blocks'
import { env } from '../env'
import { getToolGuide } from './tools'

/** A tool's page as Markdown. Throws `not_found`. */
export function toolMarkdown(id: string): string {
  const { label, group, description, credits, params, result, mcp, example } = getToolGuide(id)
  const price = credits === null ? 'metered' : `${credits} ${credits === 1 ? 'credit' : 'credits'}`
  const rows = params.map((p) => [`\`${p.name}\``, `\`${p.type}\``, p.required ? 'yes' : 'no', p.description])
  return `${[
    `# ${id}`,
    `${label} (${group}), ${price} a call${mcp ? '' : ', not over MCP'}. ${description}`,
    tableBlock(['Parameter', 'Type', 'Required', 'Description'], rows),
    curlBlock(`${env().PUBLIC_URL}/api/v1/query`, { tool: id, params: example }),
    'Returns, with `service.credits_charged` added:',
    typeBlock(`type Result = ${result}`),
  ].join('\n\n')}\n`
}
