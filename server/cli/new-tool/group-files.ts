import { type NewTool, pascalCase } from '../generated/tool-names'

/** The files of a group: its value, its settings and the client of its provider. */
export const groupFiles = (tool: NewTool): Record<string, string> => ({
  [`server/tools/${tool.group}/index.ts`]: groupValue(tool),
  [`server/tools/${tool.group}/settings.ts`]: settings(tool),
  [`server/tools/${tool.group}/client.ts`]: client(tool),
})

const groupValue = ({ group, id, name }: NewTool) => `import type { ToolGroup } from '../define'
import { ${group}Settings } from './settings'
import { ${name} } from './${id}'

/** Say here what the tools are about and where their data comes from. */
export const ${group}Group: ToolGroup = {
  id: '${group}',
  label: '${pascalCase(group)}',
  provider: '${pascalCase(group)}',
  agent: 'research',
  settings: ${group}Settings,
  tools: [${name}],
}
`

const settings = ({ group, baseUrl, provider }: NewTool) => `import { z } from 'zod'
import { defineSettings } from '../../env'
import { textSetting, urlSetting } from '../../env/schemas'

/** The tools are offered when the key is set. */
export const ${group}Settings = defineSettings({
  provider: '${provider}',
  schema: z.object({
    ${baseUrl}: urlSetting
      .default('https://api.example.com')
      .describe('${group} tools use an API: its address'),
    ${apiKeyOf(group)}: textSetting.optional().describe('Its API key; without it these tools are not offered'),
  }),
  sandbox: (sandboxUrl) => ({ ${baseUrl}: \`\${sandboxUrl}/${provider}\`, ${apiKeyOf(group)}: 'sandbox' }),
})
`

const apiKeyOf = (group: string) => `${group.toUpperCase()}_API_KEY`

const client = ({ group, baseUrl }: NewTool) => `import type { z } from 'zod'
import { callProvider, parseProviderJson, type ProviderContext } from '../provider'
import { providerError } from '../provider-errors'
import { ${group}Settings } from './settings'

const PROVIDER = 'The ${group} provider'

export const is${pascalCase(group)}Configured = (): boolean => Boolean(${group}Settings().${apiKeyOf(group)})

type ${pascalCase(group)}Request = {
  path: string
  query: Record<string, string>
  /** What a 404 means here, as a sentence for the caller. */
  missing: string
}

/** Returns a response's JSON, parsed by \`shape\`. Throws \`upstream_error\`. */
export async function fetch${pascalCase(group)}<T extends z.ZodType>(
  context: ProviderContext,
  { path, query, missing }: ${pascalCase(group)}Request,
  shape: T,
): Promise<z.output<T>> {
  const { ${baseUrl}, ${apiKeyOf(group)} = '' } = ${group}Settings()
  const response = await callProvider(context, {
    provider: PROVIDER,
    url: \`\${${baseUrl}}/\${path}?\${new URLSearchParams(query)}\`,
    headers: { accept: 'application/json', authorization: \`Bearer \${${apiKeyOf(group)}}\` },
  })
  if (response.status === 404) throw providerError(PROVIDER, response, { message: missing })
  if (response.status !== 200) throw providerError(PROVIDER, response)
  return parseProviderJson(PROVIDER, response.text, shape)
}
`
