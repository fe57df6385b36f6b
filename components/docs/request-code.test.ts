import { expect, test } from 'vitest'
import { requestCurl, requestPython, requestTypescript } from './request-code'

const url = 'https://gate.example/api/v1/agent'
const post = { method: 'POST', url, needsKey: true, body: { goal: "It's on", wait: true } }

test('a body is one argument of the shell, and POST goes without saying', () => {
  expect(requestCurl(post)).toBe(
    `curl ${url} \\\n  -H "Authorization: Bearer $TOLLGATE_KEY" \\\n  -H "Content-Type: application/json" \\\n  -d '{"goal":"It'\\''s on","wait":true}'`,
  )
})

test('other methods are named, and addresses with braces are quoted', () => {
  expect(requestCurl({ method: 'GET', url, needsKey: false })).toBe(`curl ${url}`)
  expect(requestCurl({ method: 'POST', url, needsKey: false })).toBe(`curl -X POST ${url}`)
  expect(requestCurl({ method: 'DELETE', url: `${url}/{id}`, needsKey: false })).toBe(`curl -X DELETE '${url}/{id}'`)
})

test('TypeScript and Python send the same', async () => {
  const sent: unknown[] = []
  const fetch = async (to: string, init: RequestInit) => {
    sent.push(to, init)
    return Response.json({})
  }
  const run = new Function('fetch', 'process', 'console', `return (async () => {${requestTypescript(post)}})()`)
  await run(fetch, { env: { TOLLGATE_KEY: 'tg_secret' } }, { log: () => {} })
  expect(sent).toMatchObject([url, { method: 'POST', headers: { authorization: 'Bearer tg_secret' } }])
  expect(JSON.parse(String((sent[1] as RequestInit).body))).toEqual(post.body)
  expect(requestTypescript({ method: 'GET', url, needsKey: false })).toContain(`fetch('${url}')\n`)
  expect(requestPython(post)).toContain('json={"goal": "It\'s on", "wait": True}')
  expect(requestPython({ method: 'GET', url, needsKey: false })).toContain(`requests.get(\n    "${url}",\n)`)
})
