import { z } from 'zod'
import { defineTool } from '../define'
import { truncateForDisplay } from '../flow'
import { ActorId, isMarketplaceConfigured } from './fields'
import { actorRunBoundUsd, runActor } from './run-actor'

export const marketplaceRunActor = defineTool({
  id: 'marketplace_run_actor',
  label: 'Run a marketplace actor',
  capability: 'dataApi',
  description:
    'Runs an actor and returns the items it extracted. The charge is the actual cost of the run plus markup, for maxItems items ' +
    'at most; a run that fails or is stopped after about four minutes costs what it used, and one that reaches its cap returns ' +
    'the items it has. Call marketplace_actor_details first.',
  params: z.strictObject({
    actorId: ActorId,
    input: z
      .record(z.string(), z.unknown())
      .describe("The actor's input, which must match the schema from marketplace_actor_details"),
    maxItems: z.int().min(1).default(100).describe('Items extracted and charged; fewer are cheaper'),
    maxCostUsd: z
      .number()
      .gt(0)
      .max(25)
      .optional()
      .describe(
        "Hard cap in USD, in the actor's own price before markup, held from the balance. Without it the cap is the actor's " +
          'price times maxItems with headroom',
      ),
  }),
  sandboxExample: { actorId: 'tide/places', input: { query: 'lighthouses' }, maxItems: 10, maxCostUsd: 0.05 },
  output: z.object({
    rows: z.array(z.record(z.string(), z.unknown())).describe('The items, as the actor returned them'),
    totalRows: z.int().describe("Items in the run's dataset"),
    nextCursor: z.null().describe('Always null: raise maxItems for more'),
    isPartial: z.boolean().describe('The run was stopped at its cap: these are the items it had'),
    run: z.object({
      id: z.string(),
      status: z.string(),
      costUsd: z.number().describe("The provider's cost without items beyond maxItems, before markup"),
      startedAt: z.iso.datetime().nullable(),
      finishedAt: z.iso.datetime().nullable(),
    }),
  }),
  pricing: {
    kind: 'metered',
    boundUsd: actorRunBoundUsd,
    capUsd: ({ maxCostUsd }) => maxCostUsd,
    asksProvider: ({ maxCostUsd }) => maxCostUsd === undefined,
  },
  annotations: { readOnly: false, openWorld: true, idempotent: false },
  flow: {
    reads: ['foreign'],
    sink: {
      kind: 'actor',
      outgoing: ({ actorId, input }) => ({
        to: actorId,
        summary: `Run the actor ${actorId} with this input: ${truncateForDisplay(JSON.stringify(input))} Its author can see all of it.`,
        whole: JSON.stringify(input, null, 2),
        texts: [JSON.stringify(input)],
      }),
    },
  },
  activity: ({ actorId }) => `Running ${actorId}`,
  isLong: true,
  timeoutMs: 280_000,
  available: isMarketplaceConfigured,
  run: (input, context) => runActor(context, input),
})
