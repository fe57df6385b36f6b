import { chatPython, chatTypescript, embeddingPython, embeddingTypescript, QUESTION } from '../../models/snippets'
import { type ConnectClient, type ConnectTarget, keyInPython, keyInTypescript, pythonImports } from '../recipe'

const responsesTypescript = ({ baseUrl, secret, model }: ConnectTarget): string =>
  `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${baseUrl}/api/v1', apiKey: ${keyInTypescript(secret)} })
const response = await client.responses.create({
  model: '${model}',
  input: '${QUESTION}',
})
console.log(response.output_text)`

const responsesPython = ({ baseUrl, secret, model }: ConnectTarget): string =>
  `${pythonImports(secret, 'from openai import OpenAI')}

client = OpenAI(base_url="${baseUrl}/api/v1", api_key=${keyInPython(secret)})
response = client.responses.create(
    model="${model}",
    input="${QUESTION}",
)
print(response.output_text)`

const CHAT = { id: 'chat', label: 'Chat completions', needs: 'chat', channel: 'chat' } as const
const RESPONSES = { id: 'responses', label: 'Responses', needs: 'chat', channel: 'responses' } as const
const EMBEDDINGS = { id: 'embeddings', label: 'Embeddings', needs: 'embedding', channel: 'embeddings' } as const

const npm = 'npm install openai'
const pip = 'pip install openai'

export const openaiTypescriptClient: ConnectClient = {
  id: 'openai-typescript',
  label: 'openai for TypeScript',
  group: 'Libraries',
  docs: 'https://github.com/openai/openai-node',
  recipes: [
    { ...RESPONSES, where: npm, code: responsesTypescript },
    { ...CHAT, where: npm, code: chatTypescript },
    { ...EMBEDDINGS, where: npm, code: embeddingTypescript },
  ],
}

export const openaiPythonClient: ConnectClient = {
  id: 'openai-python',
  label: 'openai for Python',
  group: 'Libraries',
  docs: 'https://github.com/openai/openai-python',
  recipes: [
    { ...RESPONSES, where: pip, code: responsesPython },
    { ...CHAT, where: pip, code: chatPython },
    { ...EMBEDDINGS, where: pip, code: embeddingPython },
  ],
}
