import { toPythonLiteral } from '../catalog/snippets'
import { keyInPython, keyInTypescript, pythonImports } from '../connect/recipe'
import { chatCurl } from '../models/snippets'
import type { PlaygroundRequest } from './request'

/** A request with its address, as code. */
export type ChatCode = { baseUrl: string; request: PlaygroundRequest }

const indented = (text: string, by: string) => text.replaceAll('\n', `\n${by}`)

export const chatRequestCurl = ({ baseUrl, request }: ChatCode): string => chatCurl(baseUrl, request)

/** With the openai package for JavaScript, printing the answer as it streams. */
export const chatRequestJavascript = ({ baseUrl, request }: ChatCode): string =>
  `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${baseUrl}/api/v1', apiKey: ${keyInTypescript(null)} })
const stream = await client.chat.completions.create(${JSON.stringify(request, null, 2)})
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta?.content ?? '')`

/** With the openai package for Python, printing the answer as it streams. */
export function chatRequestPython({ baseUrl, request }: ChatCode): string {
  const fields = Object.entries(request).map(
    ([name, value]) => `    ${name}=${indented(toPythonLiteral(value), '    ')},`,
  )
  return `${pythonImports(null, 'from openai import OpenAI')}

client = OpenAI(base_url="${baseUrl}/api/v1", api_key=${keyInPython(null)})
stream = client.chat.completions.create(
${fields.join('\n')}
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)`
}
