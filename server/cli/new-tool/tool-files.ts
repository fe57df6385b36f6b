import { camelCase, type NewTool, pascalCase } from '../generated/tool-names'

/** The files of a tool: its definition, its test and its simulation. */
export const toolFiles = (tool: NewTool): Record<string, string> => ({
  [`server/tools/${tool.group}/${tool.id}.ts`]: definition(tool),
  [`server/tools/${tool.group}/${tool.id}.test.ts`]: testOf(tool),
  [`server/sandbox/${tool.provider}/${tool.isNewGroup ? 'routes' : `${tool.verb}-routes`}.ts`]: simulation(tool),
})

const definition = ({ group, id, name, label, verb }: NewTool) => `import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { fetch${pascalCase(group)}, is${pascalCase(group)}Configured } from './client'

/** What the provider sends. */
const Found = z.object({ items: z.array(z.object({ id: z.string(), title: z.string() })) })

const MISSING = 'Nothing was found. Try another query.'

export const ${name} = defineTool({
  id: '${id}',
  label: '${label}',
  capability: 'dataApi',
  description: 'Finds items by a query. Describe here what a caller gets, and when to use another tool.',
  params: z.strictObject({
    query: z.string().trim().min(1).max(200).describe('What to look for'),
  }),
  example: { query: 'lighthouse' },
  output: z.object({
    rows: z.array(z.object({ itemId: z.string(), title: z.string() })),
    totalRows: z.int(),
    nextCursor: z.null(),
  }),
  pricing: { kind: 'fixed', credits: 1 },
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  flow: READS_FOREIGN_TEXT,
  available: is${pascalCase(group)}Configured,
  async run({ query }, context) {
    const { items } = await fetch${pascalCase(group)}(context, { path: '${verb}', query: { query }, missing: MISSING }, Found)
    const rows = items.map((item) => ({ itemId: item.id, title: item.title }))
    return { rows, totalRows: rows.length, nextCursor: null }
  },
})
`

const testOf = ({ id, name }: NewTool) => `import { expect, test } from 'vitest'
import { withSandboxProviders } from '../../../tests/support/providers'
import { toolResult } from '../../../tests/support/run-tool'
import { ${name} } from './${id}'

withSandboxProviders()

test('returns the items that match a query', async () => {
  expect(await toolResult(${name}, { query: 'lighthouse' })).toEqual({
    rows: [{ itemId: 'item-1', title: 'About lighthouse' }],
    totalRows: 1,
    nextCursor: null,
  })
})

test('reports an error of the provider', async () => {
  await expect(toolResult(${name}, { query: 'sandbox:400' })).rejects.toMatchObject({ code: 'upstream_error' })
})

test.each([{ query: '' }, { query: 7 }, {}])('refuses %j', (params) => {
  expect(${name}.params.safeParse(params).success).toBe(false)
})
`

const simulation = ({
  group,
  provider,
  verb,
  path,
  isNewGroup,
}: NewTool) => `import type { SandboxRoute } from '../kit/route'

/**
 * Simulates the provider of the ${group} tools. Link the documentation of its API here. A query may
 * provoke a failure: \`sandbox:400\` the parameters are refused.
 */
export const ${camelCase(isNewGroup ? provider : `${provider}-${verb}`)}Routes: SandboxRoute[] = [
  { method: 'GET', path: '${path}', handle: ${camelCase(verb)} },
]

function ${camelCase(verb)}(req: Request): Response {
  const query = new URL(req.url).searchParams.get('query') ?? ''
  if (query === 'sandbox:400') return Response.json({ error: 'bad query' }, { status: 400 })
  return Response.json({ items: [{ id: 'item-1', title: \`About \${query}\` }] })
}
`
