/** The body of a billed `/query` whose provider answers at once. */
export const QUERY_BODY = JSON.stringify({ tool: 'crypto_get_prices', params: { coinIds: ['bitcoin'] } })
