import type { FormField } from './form-fields'
import type { ToolDetails, ToolParams } from './shape'

/** A small picture that needs no fetching: a toll gate of 48 × 48 pixels. */
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAADAAAAAwAgMAAAAqbBEUAAAADFBMVEW/4+CwKir///9VYGKtKgw8AAAAK0lEQV' +
  'R42mNgGNQgNICqnKjQVSAYQDYngHZuowvn///Q+P9QQDwHASjmAAA3cZPWwKGXMwAAAABJRU5ErkJggg=='

/** A call of each tool that makes sense wherever it is made. */
const ANYWHERE: Record<string, ToolParams> = {
  web_search: { query: 'toll roads in the alps' },
  web_read_url: { url: 'https://example.com' },
  web_screenshot: { url: 'https://example.com' },
  crypto_get_prices: { coinIds: ['bitcoin', 'ethereum'] },
  forum_search: { query: 'rye starter' },
  forum_community: { community: 'sailing' },
  forum_domain_posts: { domain: 'example.com' },
  microblog_search: { query: 'tea filter:links' },
  videosite_search: { query: 'reading a tide table' },
  property_suggestions: { prefix: 'mad', location: 'es' },
  image_generate: { prompt: 'A lighthouse at dusk, in woodcut' },
  image_analyze: { source: PICTURE, question: 'What is on it?' },
  video_generate: { prompt: 'Waves on a harbour wall', durationSeconds: 4, resolution: '480p' },
  marketplace_search_actors: { query: 'places' },
}

/** Calls that name something: made up, so only the sandbox knows it. */
const SANDBOX: Record<string, ToolParams> = {
  forum_post: { postId: 'https://old.reddit.com/r/sailing/comments/1sb00/reefing/' },
  forum_user: { username: 'sandbox_user_1' },
  microblog_user: { username: 'sandbox_3' },
  microblog_user_posts: { userId: '9000000003' },
  microblog_post_comments: { postId: '1990000000000000083' },
  microblog_post: { postId: '1990000000000000083' },
  microblog_followers: { microblogUserId: '9000000003' },
  microblog_verified_followers: { microblogUserId: '9000000003' },
  videosite_video_info: { videoId: 'sandbox0003' },
  videosite_comments: { videoId: 'sandbox0004', limit: 20 },
  videosite_transcript: { videoId: 'sandbox0005' },
  property_suggestions: { prefix: 'pue', location: 'es' },
  property_search: { locationId: '0-EU-ES-90', locationName: 'Alboraya', location: 'es', operation: 'sale' },
  property_details: { propertyId: '90000010', location: 'es' },
  property_locations: { locationId: '0-EU-ES-90', location: 'es' },
  property_agency_profile: { micrositeShortName: 'casas-del-puerto', location: 'es' },
  property_agency_locations: {
    micrositeShortName: 'casas-del-puerto',
    location: 'es',
    locationId: '0-EU-ES-90',
    operation: 'sale',
  },
  marketplace_actor_details: { actorId: 'tide/places' },
  marketplace_run_actor: { actorId: 'tide/places', input: { query: 'lighthouses' }, maxItems: 10 },
}

/** What to begin a call of a tool with. In live mode, what only a person can name is left out. */
export const exampleInput = ({ id }: Pick<ToolDetails, 'id'>, isSandbox: boolean): ToolParams =>
  (isSandbox ? SANDBOX[id] : undefined) ?? ANYWHERE[id] ?? {}

function placeholderFor(field: FormField): unknown {
  switch (field.kind) {
    case 'text':
      return `<${field.name}>`
    case 'number':
      return field.min ?? 1
    case 'flag':
      return true
    case 'choice':
      return field.options[0]
    case 'many':
      return field.options.slice(0, 1)
    case 'list':
      return field.of === 'text' ? [`<${field.name}>`] : [1]
    case 'json':
      return {}
    default:
      return field satisfies never
  }
}

/** The same to be read: what is required and not there stands in as its name in brackets, or as something that may stand. */
export function fillRequired(params: ToolParams, fields: readonly FormField[]): ToolParams {
  const missing = fields.filter(({ name, required }) => required && params[name] === undefined)
  return { ...Object.fromEntries(missing.map((field) => [field.name, placeholderFor(field)])), ...params }
}
