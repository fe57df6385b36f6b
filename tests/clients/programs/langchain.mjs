// LangChain with the temperature of its examples.
import { ChatOpenAI } from '@langchain/openai'

const model = new ChatOpenAI({
  model: process.env.MODEL,
  temperature: 0,
  apiKey: process.env.TOLLGATE_KEY,
  configuration: { baseURL: `${process.env.BASE_URL}/v1` },
})
const { content } = await model.invoke('How is the weather in Oslo?')
console.log(content)
