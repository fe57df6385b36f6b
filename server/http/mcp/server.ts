import {
  type CallToolResult,
  INTERNAL_ERROR,
  type jsonSchemaValidator,
  type ListToolsResult,
  ProtocolError,
  Server,
} from '@modelcontextprotocol/server'
import type { McpToolResult } from '../../api/public/mcp'
import { toAppError } from '../../api/trpc'
import type { ProcedureCaller } from '../procedure'
import { CONTEXT_CAPABILITIES, type McpContext, serveContext } from './context'
import { type Answered, failedResult, metaOf, successResult } from './results'
import { declaresTasks, serveTasks, TASKS_EXTENSION, type TaskOperations, taskOnWire } from './tasks'

/** The supported revisions with an `initialize` handshake, newest first. */
export const HANDSHAKE_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26']

/** The supported revision without one. */
export const STATELESS_REVISION = '2026-07-28'

/** What one JSON-RPC request may call. */
export type McpOperations = {
  request: Answered
  list: () => ReturnType<ProcedureCaller['public']['mcp']['listTools']>
  call: (name: string) => Promise<McpToolResult>
  /** Prompts, resources and completions. */
  context: McpContext
  /** Absent in revisions without the tasks extension, and where every call is refused. */
  tasks?: TaskOperations
}

const INFO = { name: 'tollgate', title: 'Tollgate', version: '1' }

const INSTRUCTIONS =
  'Every tools/call is billed in credits; service.credits_charged of the result is its charge, also where isError is true. Listing is free.'

/**
 * How long a client may cache a list: a key's tools change only when the service is configured
 * anew.
 */
const TTL_MS = 300_000

/**
 * Validates answers to a server's questions. This one asks none, and the default would be built per
 * request.
 */
const noValidator: jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'This server asks no questions.' }),
}

const OPTIONS = {
  instructions: INSTRUCTIONS,
  supportedProtocolVersions: HANDSHAKE_REVISIONS,
  jsonSchemaValidator: noValidator,
  cacheHints: {
    'tools/list': { ttlMs: TTL_MS, cacheScope: 'private' as const },
    'prompts/list': { ttlMs: TTL_MS, cacheScope: 'private' as const },
    'server/discover': { ttlMs: TTL_MS, cacheScope: 'private' as const },
  },
}

const CALL_OPTIONS = {
  capabilities: { tools: {} },
  supportedProtocolVersions: [STATELESS_REVISION, ...HANDSHAKE_REVISIONS],
  jsonSchemaValidator: noValidator,
}

/**
 * A server for one request. Its handlers translate every error, so that no internal text gets out.
 */
export function makeMcpServer(operations: McpOperations): Server {
  const { tasks, context, list } = operations
  const extensions = tasks && { extensions: { [TASKS_EXTENSION]: {} } }
  const server = new Server(INFO, { ...OPTIONS, capabilities: { tools: {}, ...CONTEXT_CAPABILITIES, ...extensions } })
  serveContext(server, context)
  if (tasks) serveTasks(server, tasks)
  serveToolCalls(server, operations)
  server.setRequestHandler('tools/list', () =>
    list().then(
      (tools) => ({ tools }) as ListToolsResult,
      (error) => {
        throw new ProtocolError(INTERNAL_ERROR, toAppError(error).message)
      },
    ),
  )
  return server
}

/** A server for one tools/call, of any revision: without what only other requests need. */
export function makeToolCallServer(operations: McpOperations): Server {
  const server = new Server(INFO, CALL_OPTIONS)
  serveToolCalls(server, operations)
  return server
}

function serveToolCalls(server: Server, { tasks, request, call }: McpOperations): void {
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    try {
      const task = tasks && declaresTasks(context) ? await tasks.start(params.name) : null
      // The SDK types this result as if there were no extension.
      if (task) return { ...taskOnWire(task), resultType: 'task', _meta: metaOf(request) } as unknown as CallToolResult
      return successResult(await call(params.name), request)
    } catch (error) {
      return failedResult(toAppError(error), request)
    }
  })
}
