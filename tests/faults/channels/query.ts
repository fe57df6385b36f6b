import { chargeOf, parseJson, sendCall } from '../call'
import { keepCalling } from './callers'
import type { Channel } from './channel'

/** One call of a tool over REST. */
export const query = (key: string, tool: string, params: object) => (web: string) =>
  sendCall({ url: `${web}/api/v1/query`, key, body: { tool, params } }, (text, status) => ({
    charged: chargeOf(parseJson(text)),
    isDelivered: status === 200,
  }))

/** The ordinary answer after 5 s, so that a call is in flight when a fault comes. */
const SLOW = { coinIds: ['sandbox-slow'] }

export const fixedQuery: Channel = {
  name: 'query, fixed price',
  minPrice: 3,
  hasRuns: false,
  send: (traffic, seen) =>
    keepCalling(
      [
        query(traffic.key, 'crypto_get_prices', { coinIds: ['bitcoin'] }),
        query(traffic.key, 'crypto_get_prices', SLOW),
      ],
      traffic,
      seen,
    ),
}

/** The last of these costs ten times its hold, so that its charge is not known before the database has said it. */
export const meteredQuery: Channel = {
  name: 'query, metered',
  minPrice: 1,
  hasRuns: false,
  send: (traffic, seen) =>
    keepCalling(
      [
        query(traffic.key, 'marketplace_run_actor', {
          actorId: 'tide/places',
          input: { query: 'lighthouses' },
          maxItems: 5,
        }),
        query(traffic.key, 'image_generate', { prompt: 'A gate sandbox:slow' }),
        query(traffic.key, 'image_generate', { prompt: 'A gate sandbox:slow sandbox:expensive' }),
      ],
      traffic,
      seen,
    ),
}
