import { randomUUID } from 'node:crypto'
import { scriptedGoal } from './agent'
import { CHAT_MODEL, scriptedBody } from './chat'
import { messagesBody } from './messages'
import { scriptedResponse } from './responses'

/** A request that an operation answers with a success. */
export type Sample = {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  path: string
  body?: () => object
  headers?: Record<string, string>
}

type SampleRows = {
  jobId: string
  deliveryId: string
  requestId: string
  taskId: string
  cancelledTaskId: string
  file: string
  oldFileId: string
  scheduleId: string
  oldScheduleId: string
  managedId: number
  customerId: number
  memberId: number
  oldMemberId: number
  invitationId: string
  oldManagedId: number
  responseId: string
  oldResponseId: string
  backgroundId: string
  conversationId: string
  oldConversationId: string
  itemId: string
  budgetId: string
  oldBudgetId: string
}

/** Each raise is to more than the one before. */
let raised = 0

const BUDGET = { name: 'shop', credits: 50, window: 'month', scope: { customers: 'each' } }
const MCP_CALL = { name: 'crypto_get_prices', arguments: { coinIds: ['bitcoin'] } }

/**
 * A sample request for every operation, by its id. `jobId`, `deliveryId` and `requestId` are of a
 * finished job that may spend 5,000 credits, of a delivery of it, and of a call of the same owner,
 * `taskId` is of a task, `cancelledTaskId` of one that was cancelled, `file` is a hosted file and
 * `oldFileId` names another, the responses, conversations and the item of one are kept, the
 * schedules and the managed keys and budgets are two of theirs, and there is a
 * dataset `homes`.
 */
export const openApiSamples = (given: SampleRows): Record<string, Sample> => ({
  query: {
    method: 'POST',
    path: '/api/v1/query',
    body: () => ({ tool: 'crypto_get_prices', params: { coinIds: ['bitcoin'] } }),
  },
  queryBatch: {
    method: 'POST',
    path: '/api/v1/query/batch',
    body: () => ({ calls: [{ tool: 'crypto_get_prices', params: { coinIds: ['bitcoin'] } }, { tool: 'none' }] }),
  },
  listTasks: { method: 'GET', path: '/api/v1/tasks?limit=5' },
  cancelTask: { method: 'POST', path: `/api/v1/tasks/${given.cancelledTaskId}/cancel` },
  getTask: { method: 'GET', path: `/api/v1/tasks/${given.taskId}` },
  chatCompletion: { method: 'POST', path: '/api/v1/chat/completions', body: () => scriptedBody({ text: 'Hello.' }) },
  createResponse: { method: 'POST', path: '/api/v1/responses', body: () => scriptedResponse({ text: 'Hello.' }) },
  getResponse: { method: 'GET', path: `/api/v1/responses/${given.responseId}` },
  listResponseInput: { method: 'GET', path: `/api/v1/responses/${given.responseId}/input_items` },
  cancelResponse: { method: 'POST', path: `/api/v1/responses/${given.backgroundId}/cancel` },
  deleteResponse: { method: 'DELETE', path: `/api/v1/responses/${given.oldResponseId}` },
  createConversation: { method: 'POST', path: '/api/v1/conversations', body: () => ({ metadata: { topic: 'tolls' } }) },
  getConversation: { method: 'GET', path: `/api/v1/conversations/${given.conversationId}` },
  changeConversation: {
    method: 'POST',
    path: `/api/v1/conversations/${given.conversationId}`,
    body: () => ({ metadata: { topic: 'bridges' } }),
  },
  listConversationItems: { method: 'GET', path: `/api/v1/conversations/${given.conversationId}/items` },
  addConversationItems: {
    method: 'POST',
    path: `/api/v1/conversations/${given.conversationId}/items`,
    body: () => ({ items: [{ type: 'message', role: 'user', content: 'Hello.' }] }),
  },
  deleteConversationItem: {
    method: 'DELETE',
    path: `/api/v1/conversations/${given.conversationId}/items/${given.itemId}`,
  },
  deleteConversation: { method: 'DELETE', path: `/api/v1/conversations/${given.oldConversationId}` },
  createMessage: {
    method: 'POST',
    path: '/api/v1/messages',
    body: () => messagesBody(CHAT_MODEL, { text: 'Hello.' }),
  },
  countMessageTokens: { method: 'POST', path: '/api/v1/messages/count_tokens', body: () => messagesBody(CHAT_MODEL) },
  createEmbeddings: {
    method: 'POST',
    path: '/api/v1/embeddings',
    body: () => ({ model: 'lantern/wick-embed', input: 'a toll road' }),
  },
  generateImages: { method: 'POST', path: '/api/v1/images/generations', body: () => ({ prompt: 'a tide table' }) },
  startAgentRun: {
    method: 'POST',
    path: '/api/v1/agent',
    body: () => ({ goal: scriptedGoal({ text: 'Done.' }), idempotencyKey: randomUUID() }),
  },
  listAgentJobs: { method: 'GET', path: '/api/v1/agent/jobs' },
  getAgentJob: { method: 'GET', path: `/api/v1/agent/${given.jobId}` },
  listAgentSteps: { method: 'GET', path: `/api/v1/agent/${given.jobId}/steps` },
  watchAgentJob: { method: 'GET', path: `/api/v1/agent/${given.jobId}/events` },
  answerAgentJob: {
    method: 'POST',
    path: `/api/v1/agent/${given.jobId}/answer`,
    body: () => ({ approved: true, feedback: 'Blue.' }),
  },
  cancelAgentJob: { method: 'POST', path: `/api/v1/agent/${given.jobId}/cancel`, body: () => ({}) },
  rerunAgentJob: {
    method: 'POST',
    path: `/api/v1/agent/${given.jobId}/rerun`,
    body: () => ({ idempotencyKey: randomUUID() }),
  },
  raiseAgentLimit: {
    method: 'POST',
    path: `/api/v1/agent/${given.jobId}/limit`,
    body: () => ({ capCredits: 10_000 + raised++ }),
  },
  listDatasets: { method: 'GET', path: '/api/v1/datasets' },
  listSites: { method: 'GET', path: '/api/v1/sites' },
  listAgentFiles: { method: 'GET', path: '/api/v1/agent/files' },
  deleteAgentFile: { method: 'DELETE', path: `/api/v1/agent/files/${given.oldFileId}` },
  renameDataset: { method: 'PATCH', path: '/api/v1/datasets/flats', body: () => ({ newName: 'flats' }) },
  deleteDataset: { method: 'DELETE', path: '/api/v1/datasets/old' },
  serveSiteVersion: { method: 'POST', path: '/api/v1/sites/sample-site/rollback', body: () => ({ version: 1 }) },
  takeSiteDown: { method: 'POST', path: '/api/v1/sites/sample-site/take-down', body: () => ({}) },
  downloadDataset: { method: 'GET', path: '/api/v1/datasets/homes' },
  createAgentSchedule: {
    method: 'POST',
    path: '/api/v1/agent/schedules',
    body: () => ({ cron: '0 9 1 1 *', timeZone: 'Europe/Berlin', goal: scriptedGoal({ text: 'Done.' }) }),
  },
  listAgentSchedules: { method: 'GET', path: '/api/v1/agent/schedules' },
  getAgentSchedule: { method: 'GET', path: `/api/v1/agent/schedules/${given.scheduleId}` },
  listAgentScheduleRuns: { method: 'GET', path: `/api/v1/agent/schedules/${given.scheduleId}/runs` },
  changeAgentSchedule: {
    method: 'PATCH',
    path: `/api/v1/agent/schedules/${given.scheduleId}`,
    body: () => ({ name: 'Once a year' }),
  },
  pauseAgentSchedule: { method: 'POST', path: `/api/v1/agent/schedules/${given.scheduleId}/pause` },
  resumeAgentSchedule: { method: 'POST', path: `/api/v1/agent/schedules/${given.scheduleId}/resume` },
  runAgentSchedule: { method: 'POST', path: `/api/v1/agent/schedules/${given.scheduleId}/run` },
  deleteAgentSchedule: { method: 'DELETE', path: `/api/v1/agent/schedules/${given.oldScheduleId}` },
  listAgentDeliveries: { method: 'GET', path: `/api/v1/agent/${given.jobId}/deliveries` },
  sendAgentDelivery: {
    method: 'POST',
    path: `/api/v1/agent/${given.jobId}/deliveries/${given.deliveryId}/send`,
    body: () => ({}),
  },
  getWebhookSecret: { method: 'GET', path: '/api/v1/webhooks/secret' },
  // Nothing listens there, which is an answer too.
  testWebhook: { method: 'POST', path: '/api/v1/webhooks/test', body: () => ({ url: 'http://127.0.0.1:9/hook' }) },
  listCustomers: { method: 'GET', path: '/api/v1/manage/customers' },
  readCustomer: { method: 'GET', path: `/api/v1/manage/customers/${given.customerId}` },
  changeCustomer: {
    method: 'PATCH',
    path: `/api/v1/manage/customers/${given.customerId}`,
    body: () => ({ suspended: false }),
  },
  deleteCustomerName: { method: 'DELETE', path: `/api/v1/manage/customers/${given.customerId}` },
  listMembers: { method: 'GET', path: '/api/v1/manage/members' },
  readMember: { method: 'GET', path: `/api/v1/manage/members/${given.memberId}` },
  changeMember: {
    method: 'PATCH',
    path: `/api/v1/manage/members/${given.memberId}`,
    body: () => ({ role: 'viewer' }),
  },
  removeMember: { method: 'DELETE', path: `/api/v1/manage/members/${given.oldMemberId}` },
  createInvitation: { method: 'POST', path: '/api/v1/manage/invitations', body: () => ({ role: 'viewer' }) },
  listInvitations: { method: 'GET', path: '/api/v1/manage/invitations' },
  withdrawInvitation: { method: 'DELETE', path: `/api/v1/manage/invitations/${given.invitationId}` },
  createKey: { method: 'POST', path: '/api/v1/manage/keys', body: () => ({ name: 'shop', tools: 'all' }) },
  listKeys: { method: 'GET', path: '/api/v1/manage/keys' },
  readKey: { method: 'GET', path: `/api/v1/manage/keys/${given.managedId}` },
  changeKey: { method: 'PATCH', path: `/api/v1/manage/keys/${given.managedId}`, body: () => ({ rpm: 7 }) },
  rotateKey: { method: 'POST', path: `/api/v1/manage/keys/${given.managedId}/rotate`, body: () => ({}) },
  declareKey: {
    method: 'PUT',
    path: '/api/v1/manage/keys/crm-7',
    body: () => ({ name: 'shop', tools: 'all', budget: 50 }),
  },
  revokeKey: { method: 'DELETE', path: `/api/v1/manage/keys/${given.oldManagedId}` },
  createBudget: { method: 'POST', path: '/api/v1/manage/budgets', body: () => BUDGET },
  listBudgets: { method: 'GET', path: '/api/v1/manage/budgets' },
  readBudget: { method: 'GET', path: `/api/v1/manage/budgets/${given.budgetId}` },
  listBudgetCustomers: { method: 'GET', path: `/api/v1/manage/budgets/${given.budgetId}/customers` },
  changeBudget: { method: 'PATCH', path: `/api/v1/manage/budgets/${given.budgetId}`, body: () => ({ credits: 7 }) },
  declareBudget: { method: 'PUT', path: '/api/v1/manage/budgets/crm-7', body: () => BUDGET },
  deleteBudget: { method: 'DELETE', path: `/api/v1/manage/budgets/${given.oldBudgetId}` },
  sumUsage: { method: 'GET', path: '/api/v1/manage/usage' },
  getCatalog: { method: 'GET', path: '/api/v1/catalog' },
  getKey: { method: 'GET', path: '/api/v1/key' },
  listUsage: { method: 'GET', path: '/api/v1/usage' },
  listRefusals: { method: 'GET', path: '/api/v1/usage/refusals' },
  getReceipt: { method: 'GET', path: `/api/v1/usage/${given.requestId}` },
  getRequestLog: { method: 'GET', path: `/api/v1/usage/${given.requestId}/log` },
  listModels: { method: 'GET', path: '/api/v1/models' },
  getModel: { method: 'GET', path: `/api/v1/models/${CHAT_MODEL}` },
  listModelEndpoints: { method: 'GET', path: `/api/v1/models/${CHAT_MODEL}/endpoints` },
  getGeneration: { method: 'GET', path: `/api/v1/generation?id=${given.requestId}` },
  getCredits: { method: 'GET', path: '/api/v1/credits' },
  getOpenApi: { method: 'GET', path: '/api/v1/openapi.json' },
  callMcp: {
    method: 'POST',
    path: '/api/v1/mcp',
    body: () => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: MCP_CALL }),
  },
  getFile: { method: 'GET', path: given.file },
})
