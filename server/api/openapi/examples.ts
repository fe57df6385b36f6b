import { allModels } from '../../models/registry'
import type { ModelKind } from '../../models/shape'
import { exampleInput } from '../../tools/example'
import { availableTools } from '../../tools/registry'

const modelOf = (kind: ModelKind) => allModels().find((model) => model.kind === kind)?.id ?? 'provider/model'

const messages = [{ role: 'user', content: 'Say hello in three languages.' }]

function toolCall() {
  const tool = availableTools()[0]
  return tool ? { tool: tool.id, params: exampleInput(tool) } : { tool: 'web_search', params: { query: 'toll roads' } }
}

/** A body to begin with for each operation that takes one, by the operation's id. */
const EXAMPLES: Record<string, () => unknown> = {
  query: toolCall,
  queryBatch: () => ({ calls: [toolCall(), toolCall()] }),
  chatCompletion: () => ({ model: modelOf('chat'), messages }),
  createResponse: () => ({ model: modelOf('chat'), input: 'Say hello in three languages.' }),
  createConversation: () => ({ metadata: { topic: 'toll roads' } }),
  changeConversation: () => ({ metadata: { topic: 'bridges' } }),
  addConversationItems: () => ({ items: [{ type: 'message', role: 'user', content: 'I drive a van.' }] }),
  createMessage: () => ({ model: modelOf('chat'), max_tokens: 200, messages }),
  countMessageTokens: () => ({ model: modelOf('chat'), messages }),
  createEmbeddings: () => ({ model: modelOf('embedding'), input: ['a toll road', 'a bridge'] }),
  generateImages: () => ({ model: modelOf('image'), prompt: 'a toll bridge at dawn' }),
  startAgentRun: () => ({ goal: 'Compare three toll roads in the Alps', idempotencyKey: 'toll-roads-1' }),
  answerAgentJob: () => ({ approved: true }),
  rerunAgentJob: () => ({ idempotencyKey: 'toll-roads-2', fromStep: 3 }),
  raiseAgentLimit: () => ({ capCredits: 10_000 }),
  createAgentSchedule: () => ({
    name: 'Monday report',
    cron: '0 9 * * 1',
    timeZone: 'Europe/Berlin',
    goal: 'What was new on toll roads last week?',
  }),
  changeAgentSchedule: () => ({ name: 'Monday morning' }),
  serveSiteVersion: () => ({ version: 1 }),
  renameDataset: () => ({ newName: 'homes_2026' }),
  testWebhook: () => ({ url: 'https://example.com/hook' }),
  createInvitation: () => ({ role: 'developer', email: 'ada@example.com' }),
  changeMember: () => ({ role: 'viewer' }),
  changeCustomer: () => ({ suspended: true }),
  createKey: () => ({ name: 'Olbia Travel', tags: ['shop'], tools: ['web_search'], llm: true, budget: 10_000 }),
  changeKey: () => ({ budget: 20_000 }),
  rotateKey: () => ({ overlapMinutes: 60 }),
  declareKey: () => ({ name: 'Olbia Travel', tags: ['shop'], tools: 'all', budget: 10_000 }),
  createBudget: () => ({ name: 'Shop', credits: 10_000, window: 'month', scope: { tags: ['shop'] } }),
  changeBudget: () => ({ credits: 20_000 }),
  declareBudget: () => ({ name: 'Shop', credits: 10_000, window: 'month', scope: { tags: ['shop'] } }),
  callMcp: () => ({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
}

/** The body to begin with; undefined where an operation takes none. */
export const exampleBody = (operationId: string): unknown => EXAMPLES[operationId]?.()
