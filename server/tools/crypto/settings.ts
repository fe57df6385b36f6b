import { z } from 'zod'
import { defineSettings } from '../../env'
import { textSetting, urlSetting } from '../../env/schemas'

/** CoinGecko works without a key; a key raises its limits. */
export const cryptoSettings = defineSettings({
  provider: 'coingecko',
  schema: z.object({
    COINGECKO_BASE_URL: urlSetting
      .default('https://api.coingecko.com/api/v3')
      .describe('crypto tools use CoinGecko: the address of its API'),
    COINGECKO_API_KEY: textSetting.optional().describe('Its API key; optional'),
  }),
  sandbox: (sandboxUrl) => ({
    COINGECKO_BASE_URL: `${sandboxUrl}/coingecko/api/v3`,
    COINGECKO_API_KEY: undefined,
  }),
})
