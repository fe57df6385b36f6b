import { z } from 'zod'
import { defineTool } from '../define'
import { READS_STRANGERS } from '../exposure'
import { ActorId, fullName, isConfigured, pageOf, plain, READ_PRICING, Usage, usageOf } from './fields'
import { currentPricing, describePricing, Pricing } from './pricing'
import { fetchActor, fetchInputSchema, readObject } from './upstream'

export const marketplaceActorDetails = defineTool({
  id: 'marketplace_actor_details',
  label: 'Marketplace actor details',
  capability: 'dataApi',
  description:
    'What an actor takes and costs: input schema, example input and pricing. Call it after marketplace_search_actors and ' +
    'before marketplace_run_actor. It costs nothing itself.',
  params: z.strictObject({ actorId: ActorId }),
  output: Usage.extend({
    actorId: z.string(),
    name: z.string(),
    title: z.string().nullable(),
    description: z.string().nullable(),
    url: z.string().nullable(),
    categories: z.array(z.string()),
    isDeprecated: z.boolean(),
    pricing: Pricing,
    inputSchema: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('JSON Schema with the keywords of the marketplace (editor, prefill, …); null when the actor has none'),
    exampleInput: z.record(z.string(), z.unknown()).nullable(),
  }),
  pricing: READ_PRICING,
  annotations: { readOnly: true, openWorld: true, idempotent: true },
  exposure: READS_STRANGERS,
  available: isConfigured,
  async run({ actorId }, context) {
    const actor = await fetchActor(context, actorId)
    const inputSchema = await fetchInputSchema(context, actor.id)
    context.spent(0)
    return {
      ...usageOf(actor.stats),
      actorId: actor.id,
      name: fullName(actor),
      title: plain(actor.title),
      description: plain(actor.description),
      url: pageOf(actor),
      categories: actor.categories,
      isDeprecated: actor.isDeprecated,
      pricing: describePricing(currentPricing(actor.pricingInfos)),
      inputSchema,
      exampleInput: readObject(actor.exampleRunInput?.body),
    }
  },
})
