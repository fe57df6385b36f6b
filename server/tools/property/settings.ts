import { z } from 'zod'
import { defineSettings } from '../../env'
import { textSetting, urlSetting } from '../../env/schemas'

/** The tools are offered when the key is set. */
export const propertySettings = defineSettings({
  provider: 'idealista',
  schema: z.object({
    IDEALISTA_BASE_URL: urlSetting
      .default('https://idealista7.p.rapidapi.com')
      .describe('property tools use the idealista v7 API at RapidAPI: its address'),
    RAPIDAPI_KEY: textSetting.optional().describe('Its RapidAPI key; without it these tools are not offered'),
  }),
  sandbox: (sandboxUrl) => ({
    IDEALISTA_BASE_URL: `${sandboxUrl}/idealista`,
    RAPIDAPI_KEY: 'sandbox',
  }),
})
