import { z } from 'zod'
import { defineTool } from '../define'
import { READS_STRANGERS } from '../exposure'
import { fullName, isConfigured, pageOf, plain, READ_PRICING, Usage, usageOf } from './fields'
import { describePricing, Pricing } from './pricing'
import { searchStore } from './upstream'

export const marketplaceSearchActors = defineTool({
  id: 'marketplace_search_actors',
  label: 'Search marketplace actors',
  capability: 'dataApi',
  description:
    'Finds ready-made scrapers ("actors") for a site or a task: a ranked shortlist with total runs, users, star rating, ' +
    '30-day success rate and pricing. The search itself costs nothing. Next: marketplace_actor_details.',
  params: z.strictObject({
    query: z.string().trim().min(1).max(500).describe('What to extract, such as google maps places'),
    category: z
      .string()
      .trim()
      .regex(/^[A-Za-z_]{1,50}$/, 'must be a category such as ECOMMERCE')
      .optional()
      .describe('Category, such as ECOMMERCE, SOCIAL_MEDIA, AI, NEWS or JOBS'),
    limit: z.int().min(1).max(1000).default(8).describe('Rows'),
  }),
  output: z.object({
    rows: z.array(
      Usage.extend({
        actorId: z.string(),
        name: z.string(),
        title: z.string().nullable(),
        description: z.string().nullable(),
        url: z.string().nullable(),
        categories: z.array(z.string()),
        rating: z.number().nullable().describe('Stars, 1 to 5; null without reviews'),
        reviews: z.number().nullable(),
        pricing: Pricing,
      }),
    ),
    totalRows: z.int().optional().describe('Actors that match'),
    nextCursor: z.null().describe('Always null: a shortlist has no further pages'),
  }),
  pricing: READ_PRICING,
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  exposure: READS_STRANGERS,
  available: isConfigured,
  async run({ query, category, limit }, context) {
    const { items, total } = await searchStore(context, { search: query, category: category?.toUpperCase(), limit })
    const rows = items.slice(0, limit).map((actor) => ({
      ...usageOf(actor.stats),
      actorId: actor.id,
      name: fullName(actor),
      title: plain(actor.title),
      description: plain(actor.description),
      url: pageOf(actor),
      categories: actor.categories,
      rating: actor.actorReviewRating,
      reviews: actor.actorReviewCount,
      pricing: describePricing(actor.currentPricingInfo ?? null),
    }))
    context.spent(0)
    return { rows, ...(Number.isSafeInteger(total) && { totalRows: total ?? 0 }), nextCursor: null }
  },
})
