// The tool runner of Anthropic's SDK.
import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'

const client = new Anthropic({ baseURL: `${process.env.BASE_URL}/api`, apiKey: process.env.TOLLGATE_KEY })
const weather = betaTool({
  name: 'weather',
  description: 'The weather of a city',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  run: async ({ city }) => `Rain in ${city}.`,
})
const message = await client.beta.messages.toolRunner({
  model: process.env.MODEL,
  max_tokens: 500,
  messages: [{ role: 'user', content: 'How is the weather in Oslo?' }],
  tools: [weather],
})
console.log(message.content.map(({ text = '' }) => text).join(''))
