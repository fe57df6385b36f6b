import type { OfferedModel } from '@/server/models/shape'
import { keyInPython, keyInTypescript, pythonImports } from '../connect/recipe'

type Of = { baseUrl: string; model: string; secret?: string | null }

/** What the samples ask. */
export const QUESTION = 'In one sentence: what is a toll road?'

/** A text as one argument of a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** A POST with curl; without a secret the key is read from TOLLGATE_KEY. */
export const curlPost = (url: string, body: unknown, secret: string | null = null) =>
  [
    `curl ${url} \\`,
    `  -H "Authorization: Bearer ${secret ?? '$TOLLGATE_KEY'}" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d ${quoted(JSON.stringify(body))}`,
  ].join('\n')

/** A chat completion with curl. */
export const chatCurl = (baseUrl: string, body: object): string => curlPost(`${baseUrl}/api/v1/chat/completions`, body)

export const sampleChat = (model: string) => ({ model, messages: [{ role: 'user', content: QUESTION }] })

/** The same completion with the openai package for TypeScript. */
export const chatTypescript = ({ baseUrl, model, secret = null }: Of): string =>
  `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${baseUrl}/api/v1', apiKey: ${keyInTypescript(secret)} })
const answer = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: '${QUESTION}' }],
})
console.log(answer.choices[0]?.message.content)`

/** And with the openai package for Python. */
export const chatPython = ({ baseUrl, model, secret = null }: Of): string =>
  `${pythonImports(secret, 'from openai import OpenAI')}

client = OpenAI(base_url="${baseUrl}/api/v1", api_key=${keyInPython(secret)})
answer = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "${QUESTION}"}],
)
print(answer.choices[0].message.content)`

/** The tool that runs models of this kind. */
export const MEDIA_TOOLS: Record<Exclude<OfferedModel['kind'], 'chat' | 'embedding'>, string> = {
  image: 'image_generate',
  video: 'video_generate',
}

/** An image or a video with curl. */
export const mediaCurl = ({ baseUrl, model }: Of, tool: string): string =>
  curlPost(`${baseUrl}/api/v1/query`, { tool, params: { prompt: 'A toll gate in the alps at dawn', model } })

/** Embeddings with curl. */
export const embeddingCurl = ({ baseUrl, model }: Of): string =>
  curlPost(`${baseUrl}/api/v1/embeddings`, { model, input: [QUESTION] })

/** The same embeddings with the openai package for TypeScript. */
export const embeddingTypescript = ({ baseUrl, model, secret = null }: Of): string =>
  `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${baseUrl}/api/v1', apiKey: ${keyInTypescript(secret)} })
const { data } = await client.embeddings.create({ model: '${model}', input: ['${QUESTION}'] })
console.log(data[0]?.embedding.length)`

/** And with the openai package for Python. */
export const embeddingPython = ({ baseUrl, model, secret = null }: Of): string =>
  `${pythonImports(secret, 'from openai import OpenAI')}

client = OpenAI(base_url="${baseUrl}/api/v1", api_key=${keyInPython(secret)})
answer = client.embeddings.create(model="${model}", input=["${QUESTION}"])
print(len(answer.data[0].embedding))`
