// LlamaIndex, whose defaults set temperature and top_p.
import { OpenAI } from '@llamaindex/openai'

const llm = new OpenAI({
  model: process.env.MODEL,
  apiKey: process.env.TOLLGATE_KEY,
  baseURL: `${process.env.BASE_URL}/v1`,
})
const answer = await llm.chat({ messages: [{ role: 'user', content: 'How is the weather in Oslo?' }] })
console.log(answer.message.content)
