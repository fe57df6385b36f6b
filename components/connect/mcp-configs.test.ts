import { expect, test } from 'vitest'
import { MCP_CONFIGS } from './mcp-configs'

const of = { baseUrl: 'https://toll.example', secret: 'tg_secret' }
const codeOf = (id: string, secret: string | null = of.secret, baseUrl = of.baseUrl) =>
  MCP_CONFIGS.find((c) => c.id === id)?.code({ baseUrl, secret }) ?? ''

test.each(MCP_CONFIGS)('$label names the endpoint, and the secret once as a bearer value', ({ code }) => {
  expect(code(of)).toContain('https://toll.example/api/v1/mcp')
  expect(code(of)).toContain('Bearer tg_secret')
  expect(code(of).split('tg_secret')).toHaveLength(2)
})

test.each(MCP_CONFIGS)('$label without a secret says where the key comes from', ({ code }) => {
  expect(code({ ...of, secret: null })).toMatch(/TOLLGATE_KEY|\$\{input:tollgate-key\}|<your key>/)
  expect(code({ ...of, secret: null })).not.toMatch(/null|undefined/)
})

test.each(['project', 'claude-desktop', 'cursor', 'vscode'])('%s is JSON, with a key and without', (id) => {
  for (const secret of ['tg_secret', null]) expect(JSON.parse(codeOf(id, secret))).toBeTypeOf('object')
})

test('VS Code has different field names, and asks for the key as a password', () => {
  expect(JSON.parse(codeOf('vscode', null))).toEqual({
    inputs: [{ type: 'promptString', id: 'tollgate-key', description: 'Tollgate key', password: true }],
    servers: {
      tollgate: {
        type: 'http',
        url: 'https://toll.example/api/v1/mcp',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code fills this in
        headers: { Authorization: 'Bearer ${input:tollgate-key}' },
      },
    },
  })
  expect(JSON.parse(codeOf('vscode'))).not.toHaveProperty('inputs')
})

test('mcp-remote gets --allow-http only for a plain HTTP address', () => {
  for (const id of ['claude-desktop', 'mcp-remote']) {
    expect(codeOf(id)).not.toContain('--allow-http')
    expect(codeOf(id, null, 'http://localhost:3000')).toContain('--allow-http')
  }
})

test('no argument for Claude Desktop contains a space', () => {
  const { args } = JSON.parse(codeOf('claude-desktop')).mcpServers.tollgate
  for (const argument of args) expect(argument).not.toContain(' ')
})
