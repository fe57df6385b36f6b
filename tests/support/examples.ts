/** A call of each tool that the sandbox answers well. `base` is where the sandbox listens. */
export const EXAMPLES: Record<string, (base: string) => Record<string, unknown>> = {
  web_search: () => ({ query: 'tides', country: 'GB' }),
  web_read_url: (base) => ({ url: `${base}/site/` }),
  web_screenshot: (base) => ({ url: `${base}/site/`, device: 'mobile', timeout: 10 }),
  crypto_get_prices: () => ({ coinIds: ['bitcoin', 'ethereum'], currencies: ['usd', 'eur'] }),
  crypto_get_market_data: () => ({ vsCurrency: 'eur', perPage: 10, page: 2 }),
  forum_search: () => ({ query: 'rye starter', community: 'bread', limit: 5 }),
  forum_post: () => ({ postId: 'https://old.reddit.com/r/sailing/comments/1sb00/reefing/', commentLimit: 10 }),
  forum_community: () => ({ community: 'sailing', sort: 'top', time: 'month' }),
  forum_domain_posts: () => ({ domain: 'example.com' }),
  forum_user: () => ({ username: 'sandbox_user_1' }),
  property_suggestions: () => ({ prefix: 'pue', location: 'es' }),
  property_search: () => ({ locationId: '0-EU-ES-90', locationName: 'Alboraya', location: 'es', operation: 'sale' }),
  property_details: () => ({ propertyId: '90000010', location: 'es' }),
  property_locations: () => ({ locationId: '0-EU-ES-90', location: 'es' }),
  property_agency_profile: () => ({ micrositeShortName: 'casas-del-puerto', location: 'es' }),
  property_agency_locations: () => ({
    micrositeShortName: 'casas-del-puerto',
    location: 'es',
    locationId: '0-EU-ES-90',
    operation: 'sale',
  }),
}
