import { z } from 'zod'
import { defineSettings } from '../../env'
import { textSetting, urlSetting } from '../../env/schemas'

/** The tools are offered when the token is set. */
export const marketplaceSettings = defineSettings({
  provider: 'apify',
  schema: z.object({
    APIFY_BASE_URL: urlSetting
      .default('https://api.apify.com')
      .describe('marketplace tools use Apify: its address, without /v2'),
    APIFY_TOKEN: textSetting.optional().describe('Its API token; without it these tools are not offered'),
  }),
  sandbox: (sandboxUrl) => ({
    APIFY_BASE_URL: `${sandboxUrl}/apify`,
    APIFY_TOKEN: 'sandbox',
  }),
})
