import { QUESTION } from '../../models/snippets'
import { type ConnectClient, type ConnectTarget, keyInPython, keyInTypescript, pythonImports } from '../recipe'

const typescript = ({ baseUrl, secret, model }: ConnectTarget): string =>
  `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({ baseURL: '${baseUrl}/api', apiKey: ${keyInTypescript(secret)} })
const message = await client.messages.create({
  model: '${model}',
  max_tokens: 1024,
  messages: [{ role: 'user', content: '${QUESTION}' }],
})
for (const block of message.content) if (block.type === 'text') console.log(block.text)`

const python = ({ baseUrl, secret, model }: ConnectTarget): string =>
  `${pythonImports(secret, 'from anthropic import Anthropic')}

client = Anthropic(base_url="${baseUrl}/api", api_key=${keyInPython(secret)})
message = client.messages.create(
    model="${model}",
    max_tokens=1024,
    messages=[{"role": "user", "content": "${QUESTION}"}],
)
print("".join(block.text for block in message.content if block.type == "text"))`

const MESSAGES = { needs: 'chat', channel: 'messages' } as const

export const anthropicClient: ConnectClient = {
  id: 'anthropic',
  label: 'Anthropic SDKs',
  group: 'Libraries',
  docs: 'https://platform.claude.com/docs/en/api/client-sdks',
  recipes: [
    { ...MESSAGES, id: 'typescript', label: 'TypeScript', where: 'npm install @anthropic-ai/sdk', code: typescript },
    { ...MESSAGES, id: 'python', label: 'Python', where: 'pip install anthropic', code: python },
  ],
}
