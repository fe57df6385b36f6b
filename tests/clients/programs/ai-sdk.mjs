// The AI SDK in the default form of its provider, which refers to kept items.
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, stepCountIs, tool } from 'ai'

const openai = createOpenAI({ baseURL: `${process.env.BASE_URL}/v1`, apiKey: process.env.TOLLGATE_KEY })
const { text } = await generateText({
  model: openai(process.env.MODEL),
  prompt: 'How is the weather in Oslo?',
  stopWhen: stepCountIs(3),
  tools: {
    weather: tool({
      description: 'The weather of a city',
      inputSchema: jsonSchema({
        type: 'object',
        properties: { city: { type: 'string' } },
        required: ['city'],
        additionalProperties: false,
      }),
      execute: async ({ city }) => `Rain in ${city}.`,
    }),
  },
})
console.log(text)
