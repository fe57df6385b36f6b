import { post } from '../models/snippets'
import type { Params } from './shape'

/** A call of a tool: where, which, and with what. */
export type Call = { baseUrl: string; tool: string; params: Params }

const urlOf = ({ baseUrl }: Call) => `${baseUrl}/api/v1/query`

/** The call by curl, with the key from TOLLGATE_KEY. */
export const curlOf = (call: Call): string => post(urlOf(call), { tool: call.tool, params: call.params })

/** A `tools/call` of the Model Context Protocol by curl; the server keeps no session, so it stands alone. */
export const mcpOf = ({ baseUrl, tool, params }: Call): string =>
  post(`${baseUrl}/api/v1/mcp`, {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: tool, arguments: params },
  })

const indented = (text: string) => text.replaceAll('\n', '\n  ')

export function typescriptOf(call: Call): string {
  const body = indented(JSON.stringify({ tool: call.tool, params: call.params }, null, 2))
  return `const response = await fetch('${urlOf(call)}', {
  method: 'POST',
  headers: { authorization: \`Bearer \${process.env.TOLLGATE_KEY}\`, 'content-type': 'application/json' },
  body: JSON.stringify(${body}),
})
if (!response.ok) throw new Error(await response.text())
console.log(await response.json())`
}

/** A value as Python writes it. */
export function pythonValue(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, one]) => `${JSON.stringify(name)}: ${pythonValue(one)}`)
    .join(', ')}}`
}

export function pythonOf(call: Call): string {
  return `import os
import requests

response = requests.post(
    "${urlOf(call)}",
    headers={"Authorization": f"Bearer {os.environ['TOLLGATE_KEY']}"},
    json=${pythonValue({ tool: call.tool, params: call.params })},
)
response.raise_for_status()
print(response.json())`
}
