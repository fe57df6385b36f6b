import { env } from '../env'
import { allModels } from '../models/registry'

type Listed = { slug: string; title: string; summary: string }

/**
 * The index that language models look for at `/llms.txt`: what this is, and where the whole of it
 * can be read.
 */
export function llmsIndex(guides: readonly Listed[]): string {
  const base = env().PUBLIC_URL
  return `# Tollgate

> A gateway API: tools, chat models and agent runs behind one bearer key, billed in credits, with a receipt for every call.

## Documents

- [The whole API](${base}/api/v1/catalog?format=md): every operation, tool, parameter, model and price as one Markdown document
- [OpenAPI](${base}/api/v1/openapi.json): the REST operations as OpenAPI 3.1
- [Catalog](${base}/api/v1/catalog): tools, models and prices as JSON

## Guides

${guides.map(({ slug, title, summary }) => `- [${title}](${base}/docs/${slug}.md): ${summary}`).join('\n')}

${modelsSection()}## Endpoints

- [MCP](${base}/api/v1/mcp): the tools over the Model Context Protocol, Streamable HTTP
- [Chat completions](${base}/api/v1/chat/completions): for any SDK of that format, with \`${base}/api/v1\` as its base URL
- [Responses](${base}/api/v1/responses): the same in the format of the Responses API
- [Messages](${base}/api/v1/messages): the same in the format of the messages API, with \`${base}/api\` as its base URL
`
}

/** Every model that can be called, with what it costs. */
function modelsSection(): string {
  const base = env().PUBLIC_URL
  const lines = allModels().map(
    ({ id, name, kind, creditsPer1mInput, creditsPer1mOutput }) =>
      `- [${id}](${base}/api/v1/models/${id}): ${name}, ${kind}${creditsPer1mInput + creditsPer1mOutput > 0n ? `; credits per million tokens ${creditsPer1mInput} in, ${creditsPer1mOutput} out` : ''}`,
  )
  return lines.length > 0 ? `## Models\n\n${lines.join('\n')}\n\n` : ''
}
