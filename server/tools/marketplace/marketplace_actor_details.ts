import { z } from 'zod'
import { defineTool } from '../define'
import { READS_FOREIGN_TEXT } from '../flow'
import { fetchActor, fetchInputSchema, toJsonObject } from './endpoints'
import {
  ActorId,
  ActorUsage,
  actorFullName,
  actorPageUrl,
  decodeEntities,
  FREE_PRICING,
  isMarketplaceConfigured,
  toActorUsage,
} from './fields'
import { ActorPricing, currentActorPricing, describeActorPricing } from './pricing'

export const marketplaceActorDetails = defineTool({
  id: 'marketplace_actor_details',
  label: 'Marketplace actor details',
  capability: 'dataApi',
  leadsTo: ['marketplace_run_actor'],
  provider: 'Apify Store, which charges nothing for this',
  description:
    'What an actor takes and costs: input schema, example input and pricing. Call it after marketplace_search_actors and ' +
    'before marketplace_run_actor. It costs nothing itself.',
  params: z.strictObject({ actorId: ActorId }),
  sandboxExample: { actorId: 'tide/places' },
  output: ActorUsage.extend({
    actorId: z.string(),
    name: z.string(),
    title: z.string().nullable(),
    description: z.string().nullable(),
    url: z.string().nullable(),
    categories: z.array(z.string()),
    isDeprecated: z.boolean(),
    pricing: ActorPricing,
    inputSchema: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('JSON Schema with the keywords of the marketplace (editor, prefill, …); null when the actor has none'),
    exampleInput: z.record(z.string(), z.unknown()).nullable(),
  }),
  pricing: FREE_PRICING,
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  flow: READS_FOREIGN_TEXT,
  available: isMarketplaceConfigured,
  async run({ actorId }, context) {
    const actor = await fetchActor(context, actorId)
    const inputSchema = await fetchInputSchema(context, actor.id)
    context.spent(0)
    return {
      ...toActorUsage(actor.stats),
      actorId: actor.id,
      name: actorFullName(actor),
      title: decodeEntities(actor.title),
      description: decodeEntities(actor.description),
      url: actorPageUrl(actor),
      categories: actor.categories,
      isDeprecated: actor.isDeprecated,
      pricing: describeActorPricing(currentActorPricing(actor.pricingInfos)),
      inputSchema,
      exampleInput: toJsonObject(actor.exampleRunInput?.body),
    }
  },
})
