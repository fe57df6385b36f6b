import { describe, expect, it } from 'vitest'
import { withMix } from '../support/mixed-mode'

const mix = withMix({ UPSTREAMS: 'sandbox', LIVE_PROVIDERS: 'models,coingecko' })

describe('200, in a sandbox with real models and coins', () => {
  it('calls the real provider of a tool, and bills it', async () => {
    const call = await mix.query('crypto_get_prices', { coinIds: ['bitcoin'] })
    expect(call).toEqual({ charged: 3, atSandbox: [], atReal: ['/coingecko/api/v3/simple/price'] })
  })

  it('simulates the others, and bills them the same', async () => {
    const call = await mix.query('web_search', { query: 'toll roads' })
    expect(call).toEqual({ charged: 1, atSandbox: ['/brave/res/v1/web/search'], atReal: [] })
  })

  it('has the models of MODELS_FILE and no other', async () => {
    const call = await mix.chat()
    expect(call).toMatchObject({ model: 'acme/real', atSandbox: [], atReal: ['/llm/v1/chat/completions'] })
    expect(call.charged).toBeGreaterThan(0)
    expect((await mix.catalog()).llm.models).toEqual([expect.objectContaining({ id: 'acme/real', simulated: false })])
  })

  it('says of each tool whether it is simulated', async () => {
    const { mode, tools } = await mix.catalog()
    expect(mode).toBe('mixed')
    const isSimulated = Object.fromEntries(tools.map(({ id, simulated }) => [id, simulated]))
    expect(isSimulated).toMatchObject({
      crypto_get_prices: false,
      web_search: true,
      web_read_url: false,
      forum_search: true,
      marketplace_search_actors: true,
    })
    expect(await mix.notice()).toBe('Mixed: models and crypto are real, the rest is simulated.')
  })
})
