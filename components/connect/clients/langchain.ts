import { QUESTION } from '../../models/snippets'
import { type ConnectClient, type ConnectTarget, keyInTypescript } from '../recipe'

const chat = ({ baseUrl, secret, model }: ConnectTarget): string =>
  `import { ChatOpenAI } from '@langchain/openai'

const chat = new ChatOpenAI({
  model: '${model}',
  apiKey: ${keyInTypescript(secret)},
  configuration: { baseURL: '${baseUrl}/api/v1' },
})
const answer = await chat.invoke('${QUESTION}')
console.log(answer.content)`

const embeddings = ({ baseUrl, secret, model }: ConnectTarget): string =>
  `import { OpenAIEmbeddings } from '@langchain/openai'

const embeddings = new OpenAIEmbeddings({
  model: '${model}',
  apiKey: ${keyInTypescript(secret)},
  configuration: { baseURL: '${baseUrl}/api/v1' },
})
const vector = await embeddings.embedQuery('${QUESTION}')
console.log(vector.length)`

const where = 'npm install @langchain/openai @langchain/core'

export const langchainClient: ConnectClient = {
  id: 'langchain',
  label: 'LangChain',
  group: 'Libraries',
  docs: 'https://docs.langchain.com/oss/javascript/integrations/chat/openai',
  recipes: [
    { id: 'chat', label: 'ChatOpenAI', needs: 'chat', channel: 'chat', where, code: chat },
    { id: 'embeddings', label: 'OpenAIEmbeddings', needs: 'embedding', channel: 'embeddings', where, code: embeddings },
  ],
}
