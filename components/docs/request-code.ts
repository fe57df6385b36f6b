import { toPythonLiteral } from '../catalog/snippets'

/** A request as code: `url` is whole, `body` undefined where none is sent. */
export type RequestCode = { method: string; url: string; needsKey: boolean; body?: unknown }

/** A text as one argument of a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The request with curl; the key is read from TOLLGATE_KEY. */
export function requestCurl({ method, url, needsKey, body }: RequestCode): string {
  const isImplied = method === (body === undefined ? 'GET' : 'POST')
  return [
    `curl ${isImplied ? '' : `-X ${method} `}${/[?&{}]/.test(url) ? quoted(url) : url}`,
    ...(needsKey ? ['  -H "Authorization: Bearer $TOLLGATE_KEY"'] : []),
    ...(body === undefined ? [] : ['  -H "Content-Type: application/json"', `  -d ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n')
}

/** The request in TypeScript, without any package. */
export function requestTypescript({ method, url, needsKey, body }: RequestCode): string {
  const headers = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a template literal in the reader's code
    ...(needsKey ? ['authorization: `Bearer ${process.env.TOLLGATE_KEY}`'] : []),
    ...(body === undefined ? [] : ["'content-type': 'application/json'"]),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length > 0 ? [`  headers: { ${headers.join(', ')} },`] : []),
    ...(body === undefined
      ? []
      : [`  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),`]),
  ]
  const call = options.length > 0 ? `fetch('${url}', {\n${options.join('\n')}\n})` : `fetch('${url}')`
  return `const response = await ${call}
if (!response.ok) throw new Error(await response.text())
console.log(await response.json())`
}

/** The request in Python, with the requests package. */
export function requestPython({ method, url, needsKey, body }: RequestCode): string {
  return [
    ...(needsKey ? ['import os'] : []),
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    "${url}",`,
    ...(needsKey ? [`    headers={"Authorization": f"Bearer {os.environ['TOLLGATE_KEY']}"},`] : []),
    ...(body === undefined ? [] : [`    json=${toPythonLiteral(body)},`]),
    ')',
    'response.raise_for_status()',
    'print(response.json())',
  ].join('\n')
}
