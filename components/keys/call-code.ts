import type { FirstCall } from './first-call'

/** Without a secret the code reads it from TOLLGATE_KEY. */
type CallCode = { baseUrl: string; secret: string | null; call: FirstCall }

/** A text as one argument of a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const indent = (text: string, by: string) => text.replaceAll('\n', `\n${by}`)

/** JSON as a literal of Python. */
function python(value: unknown): string {
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (value === null) return 'None'
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, item]) => `${JSON.stringify(name)}: ${python(item)}`)
    .join(', ')}}`
}

/** A call with curl. */
export function callCurl({ baseUrl, secret, call: { path, body } }: CallCode): string {
  const bearer = `-H "Authorization: Bearer ${secret ?? '$TOLLGATE_KEY'}"`
  if (!body) return `curl ${baseUrl}/api/v1${path} ${bearer}`
  return [
    `curl ${baseUrl}/api/v1${path} \\`,
    `  ${bearer} \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d ${quoted(JSON.stringify(body))}`,
  ].join('\n')
}

/** The same call with `fetch`. */
export function callTypescript({ baseUrl, secret, call: { path, body } }: CallCode): string {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template literal in the reader's code
  const bearer = secret ? `'Bearer ${secret}'` : '`Bearer ${process.env.TOLLGATE_KEY}`'
  const url = `'${baseUrl}/api/v1${path}'`
  const call = body
    ? `const response = await fetch(${url}, {
  method: 'POST',
  headers: { authorization: ${bearer}, 'content-type': 'application/json' },
  body: JSON.stringify(${indent(JSON.stringify(body, null, 2), '  ')}),
})`
    : `const response = await fetch(${url}, { headers: { authorization: ${bearer} } })`
  return `${call}
if (!response.ok) throw new Error(await response.text())
console.log(await response.json())`
}

/** The same call with the requests package. */
export function callPython({ baseUrl, secret, call: { path, body } }: CallCode): string {
  const bearer = secret ? `"Bearer ${secret}"` : `f"Bearer {os.environ['TOLLGATE_KEY']}"`
  const url = `"${baseUrl}/api/v1${path}"`
  return [
    ...(secret ? [] : ['import os']),
    'import requests',
    '',
    ...(body
      ? [
          'response = requests.post(',
          `    ${url},`,
          `    headers={"Authorization": ${bearer}},`,
          `    json=${python(body)},`,
          ')',
        ]
      : [`response = requests.get(${url}, headers={"Authorization": ${bearer}})`]),
    'response.raise_for_status()',
    'print(response.json())',
  ].join('\n')
}
