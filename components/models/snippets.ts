import type { OfferedModel } from '@/server/models/shape'

type Of = { baseUrl: string; model: string }

const ASKED = 'In one sentence: what is a toll road?'

/** A text as one argument of a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** A POST by curl, with the key from TOLLGATE_KEY. */
export const curlPost = (url: string, body: unknown) =>
  [
    `curl ${url} \\`,
    '  -H "Authorization: Bearer $TOLLGATE_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d ${quoted(JSON.stringify(body))}`,
  ].join('\n')

/** A chat completion by curl; `body` is sent as it is. */
export const chatCurl = (baseUrl: string, body: object): string => curlPost(`${baseUrl}/api/v1/chat/completions`, body)

export const sampleChat = (model: string) => ({ model, messages: [{ role: 'user', content: ASKED }] })

/** The same completion by the openai package for TypeScript. */
export const chatTypescript = ({ baseUrl, model }: Of): string =>
  `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${baseUrl}/api/v1', apiKey: process.env.TOLLGATE_KEY })
const answer = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: '${ASKED}' }],
})
console.log(answer.choices[0]?.message.content)`

/** And by the openai package for Python. */
export const chatPython = ({ baseUrl, model }: Of): string =>
  `import os
from openai import OpenAI

client = OpenAI(base_url="${baseUrl}/api/v1", api_key=os.environ["TOLLGATE_KEY"])
answer = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "${ASKED}"}],
)
print(answer.choices[0].message.content)`

/** The tool that runs engines of a kind that does not chat. */
export const MEDIA_TOOLS: Record<Exclude<OfferedModel['kind'], 'chat'>, string> = {
  image: 'image_generate',
  video: 'video_generate',
}

/** An image or a video of an engine, by curl. */
export const mediaCurl = ({ baseUrl, model }: Of, tool: string): string =>
  curlPost(`${baseUrl}/api/v1/query`, { tool, params: { prompt: 'A toll gate in the alps at dawn', model } })
