import { QUESTION } from '../../models/snippets'
import { type ConnectClient, type ConnectTarget, keyInTypescript } from '../recipe'

/** A text with a provider of the AI SDK; `options` come before the address. */
const generate = (factory: string, from: string, options = '') =>
  function code({ baseUrl, secret, model }: ConnectTarget): string {
    return `import { ${factory} } from '${from}'
import { generateText } from 'ai'

const tollgate = ${factory}({ ${options}baseURL: '${baseUrl}/api/v1', apiKey: ${keyInTypescript(secret)} })
const { text } = await generateText({
  model: tollgate('${model}'),
  prompt: '${QUESTION}',
})
console.log(text)`
  }

const embed = ({ baseUrl, secret, model }: ConnectTarget): string =>
  `import { createOpenAI } from '@ai-sdk/openai'
import { embed } from 'ai'

const tollgate = createOpenAI({ baseURL: '${baseUrl}/api/v1', apiKey: ${keyInTypescript(secret)} })
const { embedding } = await embed({
  model: tollgate.embeddingModel('${model}'),
  value: '${QUESTION}',
})
console.log(embedding.length)`

export const aiSdkClient: ConnectClient = {
  id: 'ai-sdk',
  label: 'AI SDK',
  group: 'Libraries',
  docs: 'https://ai-sdk.dev/providers/ai-sdk-providers/openai',
  recipes: [
    {
      id: 'openai',
      label: '@ai-sdk/openai',
      needs: 'chat',
      channel: 'responses',
      where: 'npm install ai @ai-sdk/openai',
      code: generate('createOpenAI', '@ai-sdk/openai'),
    },
    {
      id: 'openai-compatible',
      label: '@ai-sdk/openai-compatible',
      needs: 'chat',
      channel: 'chat',
      where: 'npm install ai @ai-sdk/openai-compatible',
      code: generate('createOpenAICompatible', '@ai-sdk/openai-compatible', "name: 'tollgate', "),
    },
    {
      id: 'anthropic',
      label: '@ai-sdk/anthropic',
      needs: 'chat',
      channel: 'messages',
      where: 'npm install ai @ai-sdk/anthropic',
      code: generate('createAnthropic', '@ai-sdk/anthropic'),
    },
    {
      id: 'embeddings',
      label: 'Embeddings',
      needs: 'embedding',
      channel: 'embeddings',
      where: 'npm install ai @ai-sdk/openai',
      code: embed,
    },
  ],
}
