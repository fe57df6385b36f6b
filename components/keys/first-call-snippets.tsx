import { CopyBox } from '../ui/copy'
import { Tabs } from '../ui/tabs'

type Of = { baseUrl: string; secret: string | null; tools: 'all' | readonly string[] }

/** A sample call of the tools that have an obvious one. */
const SAMPLES: Record<string, Record<string, unknown>> = {
  web_search: { query: 'toll roads in the alps' },
  web_read_url: { url: 'https://example.com' },
  crypto_get_prices: { coinIds: ['bitcoin'], currencies: ['usd'] },
}

function sampleFor(tools: Of['tools']) {
  const id = Object.keys(SAMPLES).find((name) => tools === 'all' || tools.includes(name))
  return id ? { tool: id, params: SAMPLES[id] ?? {} } : null
}

const indent = (json: unknown) => JSON.stringify(json, null, 2).replaceAll('\n', '\n  ')

/** A call with curl: of a tool with a sample if the key may call one, else of GET /key. */
export function firstCallCurl({ baseUrl, secret, tools }: Of): string {
  const bearer = `-H "Authorization: Bearer ${secret ?? '$TOLLGATE_KEY'}"`
  const sample = sampleFor(tools)
  if (!sample) return `curl ${baseUrl}/api/v1/key ${bearer}`
  return [
    `curl ${baseUrl}/api/v1/query \\`,
    `  ${bearer} \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d '${JSON.stringify(sample)}'`,
  ].join('\n')
}

export function firstCallTypescript({ baseUrl, secret, tools }: Of): string {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template literal in the reader's code
  const bearer = secret ? `'Bearer ${secret}'` : '`Bearer ${process.env.TOLLGATE_KEY}`'
  const sample = sampleFor(tools)
  const call = sample
    ? `const response = await fetch('${baseUrl}/api/v1/query', {
  method: 'POST',
  headers: { authorization: ${bearer}, 'content-type': 'application/json' },
  body: JSON.stringify(${indent(sample)}),
})`
    : `const response = await fetch('${baseUrl}/api/v1/key', { headers: { authorization: ${bearer} } })`
  return `${call}
if (!response.ok) throw new Error(await response.text())
console.log(await response.json())`
}

export function firstCallPython({ baseUrl, secret, tools }: Of): string {
  const bearer = secret ? `"Bearer ${secret}"` : `f"Bearer {os.environ['TOLLGATE_KEY']}"`
  const sample = sampleFor(tools)
  return [
    ...(secret ? [] : ['import os']),
    'import requests',
    '',
    ...(sample
      ? [
          'response = requests.post(',
          `    "${baseUrl}/api/v1/query",`,
          `    headers={"Authorization": ${bearer}},`,
          `    json=${JSON.stringify(sample)},`,
          ')',
        ]
      : [`response = requests.get("${baseUrl}/api/v1/key", headers={"Authorization": ${bearer}})`]),
    'response.raise_for_status()',
    'print(response.json())',
  ].join('\n')
}

const restTabs = (of: Of) => [
  { id: 'curl', label: 'curl', body: <CopyBox label="curl" code={firstCallCurl(of)} /> },
  { id: 'typescript', label: 'TypeScript', body: <CopyBox label="TypeScript" code={firstCallTypescript(of)} /> },
  { id: 'python', label: 'Python', body: <CopyBox label="Python" code={firstCallPython(of)} /> },
]

/** A first REST call in three languages. Without a secret they read it from TOLLGATE_KEY. */
export const RestSnippets = (of: Of) => <Tabs label="REST" tabs={restTabs(of)} />
