import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { toolCallCurl, toolCallMcp, toolCallPython, toolCallTypescript, toPythonLiteral } from './snippets'

const params = { query: `It's "quoted" $HOME \`x\``, limit: 2, deep: { on: true, off: false, none: null, list: [1.5] } }
const call = { baseUrl: 'https://gate.example', tool: 'web_search', params }

/** The arguments a shell hands to curl. */
function argumentsOf(code: string): string[] {
  const script = `curl() { for a in "$@"; do printf '%s\\0' "$a"; done; }\n${code}`
  return execFileSync('sh', ['-c', script], { env: { ...process.env, TOLLGATE_KEY: 'tg_secret' }, encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)
}

test('a shell sends the call word for word', () => {
  const [url, , bearer, ...rest] = argumentsOf(toolCallCurl(call))
  expect([url, bearer]).toEqual(['https://gate.example/api/v1/query', 'Authorization: Bearer tg_secret'])
  expect(JSON.parse(rest.at(-1) ?? '')).toEqual({ tool: 'web_search', params })
})

test('MCP is sent a tools/call with the same arguments', () => {
  const args = argumentsOf(toolCallMcp(call))
  expect(args[0]).toBe('https://gate.example/api/v1/mcp')
  expect(JSON.parse(args.at(-1) ?? '')).toMatchObject({
    jsonrpc: '2.0',
    method: 'tools/call',
    params: { name: 'web_search', arguments: params },
  })
})

test('TypeScript that runs sends the same', async () => {
  const sent: unknown[] = []
  const fetch = async (url: string, init: RequestInit) => {
    sent.push(url, init)
    return Response.json({ ok: true })
  }
  const run = new Function('fetch', 'process', 'console', `return (async () => {${toolCallTypescript(call)}})()`)
  await run(fetch, { env: { TOLLGATE_KEY: 'tg_secret' } }, { log: () => {} })
  expect(sent).toMatchObject([
    'https://gate.example/api/v1/query',
    { method: 'POST', headers: { authorization: 'Bearer tg_secret' } },
  ])
  expect(JSON.parse(String((sent[1] as RequestInit).body))).toEqual({ tool: 'web_search', params })
})

test('Python has its own words for true, false and nothing', () => {
  expect(toPythonLiteral(params.deep)).toBe('{"on": True, "off": False, "none": None, "list": [1.5]}')
  expect(toolCallPython(call)).toContain('"limit": 2')
  expect(toolCallPython(call)).not.toMatch(/\b(true|false|null)\b/)
})
