// An agent of @openai/agents, with its defaults.
import { Agent, run, setDefaultOpenAIClient, setTracingDisabled, tool } from '@openai/agents'
import OpenAI from 'openai'
import { z } from 'zod'

setTracingDisabled(true)
setDefaultOpenAIClient(new OpenAI({ baseURL: `${process.env.BASE_URL}/v1`, apiKey: process.env.TOLLGATE_KEY }))
const weather = tool({
  name: 'weather',
  description: 'The weather of a city',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => `Rain in ${city}.`,
})
const agent = new Agent({ name: 'Guide', instructions: 'Be brief.', model: process.env.MODEL, tools: [weather] })
console.log((await run(agent, 'How is the weather in Oslo?')).finalOutput)
