import { type BodyReading, chargeInBody, parseJsonObject, sendCall } from '../call'
import type { FaultChannel } from './define'
import { keepCalling } from './keep-calling'

export const readQuery = (text: string, status: number): BodyReading => ({
  charged: chargeInBody(parseJsonObject(text)),
  isDelivered: status === 200,
})

/** One call of a tool over REST. */
export const sendQuery = (key: string, tool: string, params: object) => (web: string) =>
  sendCall({ url: `${web}/api/v1/query`, key, body: { tool, params } }, readQuery)

/** The ordinary answer after 5 s, so that a call is in flight when a fault comes. */
const SLOW = { coinIds: ['sandbox-slow'] }

export const fixedQuery: FaultChannel = {
  name: 'query, fixed price',
  minPrice: 3,
  hasRuns: false,
  send: (traffic, seen) =>
    keepCalling(
      [
        sendQuery(traffic.key, 'crypto_get_prices', { coinIds: ['bitcoin'] }),
        sendQuery(traffic.key, 'crypto_get_prices', SLOW),
      ],
      traffic,
      seen,
    ),
}

/**
 * The last of these costs ten times its hold, so that its charge is not known before the database
 * has said it.
 */
export const meteredQuery: FaultChannel = {
  name: 'query, metered',
  minPrice: 1,
  hasRuns: false,
  send: (traffic, seen) =>
    keepCalling(
      [
        sendQuery(traffic.key, 'marketplace_run_actor', {
          actorId: 'tide/places',
          input: { query: 'lighthouses' },
          maxItems: 5,
        }),
        sendQuery(traffic.key, 'image_generate', { prompt: 'A gate sandbox:slow' }),
        sendQuery(traffic.key, 'image_generate', { prompt: 'A gate sandbox:slow sandbox:expensive' }),
      ],
      traffic,
      seen,
    ),
}
