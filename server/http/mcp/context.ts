import { INTERNAL_ERROR, INVALID_PARAMS, ProtocolError, type Server } from '@modelcontextprotocol/server'
import { DATASET_TEMPLATE } from '../../api/public/mcp-context'
import { toAppError } from '../../api/trpc'
import type { ProcedureCaller } from '../procedure'

/** The operations behind prompts, resources and completions. */
export type McpContext = ProcedureCaller['public']['mcp']['context']

/** What a server with them declares. */
export const CONTEXT_CAPABILITIES = { prompts: {}, resources: {}, completions: {} }

/** Throws an error of the protocol for what an operation refuses: these requests have no result. */
async function orRefuse<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (thrown) {
    const { code, message } = toAppError(thrown)
    const isTheirs = code === 'not_found' || code === 'invalid_request'
    throw new ProtocolError(isTheirs ? INVALID_PARAMS : INTERNAL_ERROR, message)
  }
}

/** Adds prompts, resources and completions to a server. */
export function serveContext(server: Server, context: McpContext): void {
  server.setRequestHandler('prompts/list', async () => ({ prompts: await orRefuse(context.prompts()) }))
  server.setRequestHandler('prompts/get', async ({ params: { name, arguments: args = {} } }) => {
    const { description, text } = await orRefuse(context.prompt({ name, args }))
    return { description, messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] }
  })
  server.setRequestHandler('resources/list', async () => ({ resources: await orRefuse(context.resources()) }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      { uriTemplate: DATASET_TEMPLATE, name: 'dataset', title: 'A dataset that runs have made', mimeType: 'text/csv' },
    ],
  }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => ({
    contents: [await orRefuse(context.resource({ uri }))],
  }))
  server.setRequestHandler('completion/complete', async ({ params: { ref, argument } }) => {
    const prompt = ref.type === 'ref/prompt' ? ref.name : null
    const { name, value } = argument
    const values = await orRefuse(context.complete({ prompt, argument: name, value }))
    return { completion: { values, total: values.length, hasMore: false } }
  })
}
