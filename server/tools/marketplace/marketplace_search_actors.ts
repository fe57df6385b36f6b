import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { searchActorStore } from './endpoints'
import {
  ActorUsage,
  actorFullName,
  actorPageUrl,
  decodeEntities,
  FREE_PRICING,
  isMarketplaceConfigured,
  toActorUsage,
} from './fields'
import { ActorPricing, describeActorPricing } from './pricing'

export const marketplaceSearchActors = defineTool({
  id: 'marketplace_search_actors',
  label: 'Search marketplace actors',
  capability: 'dataApi',
  isFirst: 'listed',
  leadsTo: ['marketplace_actor_details', 'marketplace_run_actor'],
  provider: 'Apify Store, which charges nothing for this',
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
  example: { query: 'google maps places' },
  output: z.object({
    rows: z.array(
      ActorUsage.extend({
        actorId: z.string(),
        name: z.string(),
        title: z.string().nullable(),
        description: z.string().nullable(),
        url: z.string().nullable(),
        categories: z.array(z.string()),
        rating: z.number().nullable().describe('Stars, 1 to 5; null without reviews'),
        reviewCount: z.number().nullable(),
        pricing: ActorPricing,
      }),
    ),
    totalRows: z.int().optional().describe('Actors that match'),
    nextCursor: z.null().describe('Always null: a shortlist has no further pages'),
  }),
  pricing: FREE_PRICING,
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  flow: READS_FOREIGN_TEXT,
  available: isMarketplaceConfigured,
  async run({ query, category, limit }, context) {
    const { items, total } = await searchActorStore(context, {
      search: query,
      category: category?.toUpperCase(),
      limit,
    })
    const rows = items.slice(0, limit).map((actor) => ({
      ...toActorUsage(actor.stats),
      actorId: actor.id,
      name: actorFullName(actor),
      title: decodeEntities(actor.title),
      description: decodeEntities(actor.description),
      url: actorPageUrl(actor),
      categories: actor.categories,
      rating: actor.actorReviewRating,
      reviewCount: actor.actorReviewCount,
      pricing: describeActorPricing(actor.currentPricingInfo ?? null),
    }))
    context.spent(0)
    return { rows, ...(Number.isSafeInteger(total) && { totalRows: total ?? 0 }), nextCursor: null }
  },
})
