import { describe, expect, it } from 'vitest'
import { withMix } from '../support/mixed-mode'

const mix = withMix({ UPSTREAMS: 'live', SANDBOX_PROVIDERS: 'models,coingecko' })

describe('200, in live mode with simulated models and coins', () => {
  it('calls the real provider of a tool, and bills it', async () => {
    const call = await mix.query('web_search', { query: 'toll roads' })
    expect(call).toEqual({ charged: 1, atSandbox: [], atReal: ['/searxng/search'] })
  })

  it('simulates those that are named, and bills them the same', async () => {
    const call = await mix.query('crypto_get_prices', { coinIds: ['bitcoin'] })
    expect(call).toEqual({ charged: 3, atSandbox: ['/coingecko/api/v3/simple/price'], atReal: [] })
  })

  it('has the models of the sandbox, whatever MODELS_FILE says', async () => {
    const call = await mix.chat()
    expect(call).toMatchObject({ atSandbox: ['/llm/v1/chat/completions'], atReal: [] })
    expect(call.charged).toBeGreaterThan(0)
    const { models } = (await mix.catalog()).llm
    expect(models.length).toBeGreaterThan(5)
    expect(models.every(({ simulated }) => simulated)).toBe(true)
  })

  it('offers what is set up, and says of each tool whether it is simulated', async () => {
    const { mode, tools } = await mix.catalog()
    expect(mode).toBe('mixed')
    const isSimulated = Object.fromEntries(tools.map(({ id, simulated }) => [id, simulated]))
    expect(isSimulated).toMatchObject({ crypto_get_prices: true, web_search: false, image_generate: true })
    expect(isSimulated.forum_search).toBeUndefined()
    expect(await mix.notice()).toBe('Mixed: models and crypto are simulated, the rest is real.')
  })
})
