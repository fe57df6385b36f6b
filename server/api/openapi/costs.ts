import { allModels } from '../../models/registry'
import type { ModelKind } from '../../models/shape'
import { availableTools } from '../../tools/registry'

const FREE = 'Free.'

function toolCost(): string {
  const tool = availableTools().find(({ pricing }) => pricing.kind === 'fixed')
  if (tool?.pricing.kind !== 'fixed') return 'Costs what its tool costs.'
  const { credits } = tool.pricing
  return `Costs what its tool costs: ${tool.id} takes ${credits} ${credits === 1 ? 'credit' : 'credits'} a call.`
}

function modelCost(kind: ModelKind): string {
  const model = allModels().find((each) => each.kind === kind)
  if (!model) return 'Costs what its model costs.'
  const [input, output] = [model.creditsPer1mInput, model.creditsPer1mOutput].map((price) => price.toLocaleString('en'))
  const both = kind === 'embedding' ? `${input}` : `${input} in and ${output} out`
  return `Costs what its model takes: ${model.id} ${both}, in credits per million tokens, and at least 1 credit.`
}

const COSTS: Record<string, () => string> = {
  query: toolCost,
  queryBatch: () => 'Each call costs what its tool costs.',
  callMcp: () => 'tools/call costs what its tool costs; everything else is free.',
  chatCompletion: () => modelCost('chat'),
  createResponse: () => modelCost('chat'),
  createMessage: () => modelCost('chat'),
  createEmbeddings: () => modelCost('embedding'),
  generateImages: () => 'Costs what its image engine takes for an image.',
  startAgentRun: () => 'Costs what its steps cost, at most what the key allows a run.',
  rerunAgentJob: () => 'Costs what the steps from there on cost, at most what the key allows a run.',
  runAgentSchedule: () => 'Costs what the steps of the run cost, at most what the key allows a run.',
}

/** What a call of an operation costs, in a sentence. */
export const operationCost = (operationId: string): string => COSTS[operationId]?.() ?? FREE
