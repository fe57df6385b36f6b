import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import {
  chatCurl,
  chatPython,
  chatTypescript,
  embeddingCurl,
  embeddingPython,
  embeddingTypescript,
  mediaCurl,
  sampleChat,
} from './snippets'

const of = { baseUrl: 'https://gate.example', model: 'northwind/gale-4' }

/** The arguments a shell passes to curl. */
function argumentsOf(code: string): string[] {
  const script = `curl() { for a in "$@"; do printf '%s\\0' "$a"; done; }\n${code}`
  return execFileSync('sh', ['-c', script], { env: { ...process.env, TOLLGATE_KEY: 'tg_secret' }, encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)
}

test('a shell sends exactly the given body', () => {
  const body = { model: of.model, messages: [{ role: 'user', content: `It's "quoted" $HOME \`x\` \\n\nnew line` }] }
  const [url, ...rest] = argumentsOf(chatCurl(of.baseUrl, body))
  expect(url).toBe('https://gate.example/api/v1/chat/completions')
  expect(rest.slice(0, 4)).toEqual(['-H', 'Authorization: Bearer tg_secret', '-H', 'Content-Type: application/json'])
  expect(rest[4]).toBe('-d')
  expect(JSON.parse(rest[5] ?? '')).toEqual(body)
})

test('every snippet has the address, the model and the key', () => {
  const chats = [chatCurl(of.baseUrl, sampleChat(of.model)), chatTypescript(of), chatPython(of)]
  for (const code of [...chats, embeddingCurl(of), embeddingTypescript(of), embeddingPython(of)]) {
    expect(code).toContain('https://gate.example/api/v1')
    expect(code).toContain('northwind/gale-4')
    expect(code).toContain('TOLLGATE_KEY')
  }
})

test('an image model is called through its tool', () => {
  const args = argumentsOf(mediaCurl({ ...of, model: 'palette/umber-1' }, 'image_generate'))
  expect(args[0]).toBe('https://gate.example/api/v1/query')
  expect(JSON.parse(args.at(-1) ?? '')).toMatchObject({ tool: 'image_generate', params: { model: 'palette/umber-1' } })
})
