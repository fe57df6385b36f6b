import { z } from 'zod'
import { env } from '../env'
import { allModels, describeModel } from '../models/registry'
import { CatalogModel } from '../models/shape'
import type { AnyTool } from '../tools/define'
import { describeParams } from '../tools/params'
import { availableTools, groupOfTool, isSimulatedTool } from '../tools/registry'
import { resultType } from './result-types'

export const CatalogTool = z.object({
  id: z.string(),
  label: z.string(),
  group: z.string(),
  description: z.string(),
  credits: z.int().nullable().describe('Fixed price per call; null when metered'),
  pricing: z.enum(['fixed', 'metered']),
  params: z.array(
    z.object({
      name: z.string(),
      type: z.string().describe('TypeScript type expression'),
      required: z.boolean(),
      description: z.string(),
    }),
  ),
  simulated: z.boolean().describe('Its provider is simulated'),
  result: z.string().describe('TypeScript type of what it returns; Time is an ISO 8601 time, service is added'),
})
export type CatalogTool = z.infer<typeof CatalogTool>

export const Catalog = z.object({
  mode: z
    .enum(['sandbox', 'live', 'mixed'])
    .describe('sandbox: providers and their data are simulated; mixed: those of the tools and models that say so'),
  count: z.int().describe('Number of tools'),
  tools: z.array(CatalogTool),
  agent: z.object({
    endpoint: z.string(),
    requiresScope: z.string(),
    description: z.string(),
    modes: z.array(z.string()),
    list: z.string(),
    model: z.string(),
    multiTurn: z.string(),
    historyTurnLimit: z.string(),
    creditCeiling: z.string(),
  }),
  llm: z.object({
    endpoint: z.string(),
    openaiCompatible: z.boolean(),
    requiresScope: z.string(),
    modelCount: z.int(),
    models: z.array(CatalogModel),
  }),
  billing: z.object({ creditsPerUsd: z.int().describe('Credits per US dollar at the reference tier') }),
})
export type Catalog = z.infer<typeof Catalog>

/** One tool as the catalog lists it. */
export const describeTool = (tool: AnyTool): CatalogTool => ({
  id: tool.id,
  label: tool.label,
  group: groupOfTool(tool).label,
  description: tool.description,
  credits: tool.pricing.kind === 'fixed' ? tool.pricing.credits : null,
  pricing: tool.pricing.kind,
  params: describeParams(tool),
  simulated: isSimulatedTool(tool),
  result: resultType(tool),
})

/** Everything a client can call here, and what it costs. */
export function describeCatalog(): Catalog {
  const tools = availableTools().map(describeTool)
  const models = allModels().map(describeModel)
  return {
    mode: env().mode,
    count: tools.length,
    tools,
    agent: {
      endpoint: '/api/v1/agent',
      requiresScope: 'agent',
      description:
        'Runs a goal as a durable job: an agent is chosen, a model decides, tools are called, and every step is charged once. POST a goal with an idempotencyKey, then poll; destructive acts wait for a person.',
      modes: ['autonomous', 'interactive'],
      list: '/api/v1/agent/jobs',
      model: "A model id of llm.models; omitted: the owner's default.",
      multiTurn: 'Send conversationId (a former jobId) with a fresh idempotencyKey to go on in the same conversation.',
      historyTurnLimit:
        'Send only the most recent N turns to the model, and nothing of older ones; omitted: all of them.',
      creditCeiling:
        "A key's agentRunBudgetCredits limits the sum over all turns of a conversation, besides balance and key budget.",
    },
    llm: {
      endpoint: '/api/v1/chat/completions',
      openaiCompatible: true,
      requiresScope: 'llm',
      modelCount: models.length,
      models,
    },
    billing: { creditsPerUsd: env().CREDITS_PER_USD },
  }
}
