import { curlPost } from '../models/snippets'
import type { ToolParams } from './shape'

/** A call of a tool: where, which, and with what. */
export type ToolSnippet = { baseUrl: string; tool: string; params: ToolParams }

const urlOf = ({ baseUrl }: ToolSnippet) => `${baseUrl}/api/v1/query`

/** The call with curl; the key is read from TOLLGATE_KEY. */
export const toolCallCurl = (call: ToolSnippet): string =>
  curlPost(urlOf(call), { tool: call.tool, params: call.params })

/** A `tools/call` of the Model Context Protocol with curl. The server keeps no session. */
export const toolCallMcp = ({ baseUrl, tool, params }: ToolSnippet): string =>
  curlPost(`${baseUrl}/api/v1/mcp`, {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: tool, arguments: params },
  })

const indented = (text: string) => text.replaceAll('\n', '\n  ')

export function toolCallTypescript(call: ToolSnippet): string {
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
export function toPythonLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(toPythonLiteral).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, one]) => `${JSON.stringify(name)}: ${toPythonLiteral(one)}`)
    .join(', ')}}`
}

export function toolCallPython(call: ToolSnippet): string {
  return `import os
import requests

response = requests.post(
    "${urlOf(call)}",
    headers={"Authorization": f"Bearer {os.environ['TOLLGATE_KEY']}"},
    json=${toPythonLiteral({ tool: call.tool, params: call.params })},
)
response.raise_for_status()
print(response.json())`
}
