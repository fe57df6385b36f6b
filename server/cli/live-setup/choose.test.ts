import { describe, expect, test } from 'vitest'
import { chooseModelProvider } from './choose'

describe('the key of a provider of models', () => {
  test.each([
    ['http://127.0.0.1:8080/v1/', 'LOCAL_API_KEY'],
    ['ollama', 'OLLAMA_API_KEY'],
    ['https://llm.my-host.example/v1', 'MY_HOST_API_KEY'],
    ['openai', 'OPENAI_API_KEY'],
  ])('of %s is kept as %s', async (provider, name) => {
    const chosen = await chooseModelProvider({ provider, key: 'sk-given' })
    expect([chosen.provider.apiKeyEnv, chosen.settings]).toEqual([name, { [name]: 'sk-given' }])
  })

  test('is not asked for where a server of your own needs none', async () => {
    const { provider, settings } = await chooseModelProvider({ provider: 'http://127.0.0.1:8080/v1' })
    expect([provider.apiKeyEnv, provider.baseUrl, settings]).toEqual([null, 'http://127.0.0.1:8080/v1', {}])
  })
})
