import { sendQuery } from '../faults/channels/query'
import { makeCaller } from '../support/owners'

const CALLS = 200
const PRICE = 3

/** Exactly as many calls pass as credits are there for, over all processes behind some URLs. */
export async function raceFindings(urls: readonly string[]): Promise<string[]> {
  const affordable = 10
  const { key } = await makeCaller(affordable * PRICE)
  const send = sendQuery(key.key, 'crypto_get_prices', { coinIds: ['bitcoin'] })
  const calls = await Promise.all(Array.from({ length: CALLS }, (_, i) => send(urls[i % urls.length] ?? '')))
  const delivered = calls.filter(({ isDelivered }) => isDelivered).length
  const refused = calls.filter(({ status }) => status === 402).length
  return delivered === affordable && refused === CALLS - affordable
    ? []
    : [`of ${CALLS} calls with credits for ${affordable}, ${delivered} were delivered and ${refused} refused with 402`]
}
