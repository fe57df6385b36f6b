import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'
import { findModel } from '../../server/models/registry'
import { withoutNotes } from '../../server/sandbox/script/script'
import { sseEvent, streamChunk } from './fake-upstream'
import type { ModelTurn } from './persuaded-model'

type Message = { role: string; content: unknown; tool_calls?: { function: { name: string; arguments: string } }[] }

/** A request as a model reads it. */
export type FunctionModelRequest = {
  messages: Message[]
  tools: { function: { name: string; description: string; parameters: unknown } }[]
}

const USAGE = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }

type Answer = (request: FunctionModelRequest) => ModelTurn

/** Starts a function model, until the test has ended or starts another one. */
export function withFunctionModel(): (id: string, answer: Answer, context?: { contextSize?: number }) => Promise<void> {
  let model: { close: () => void } | undefined
  afterEach(() => {
    model?.close()
    model = undefined
  })
  return async (id, answer, context) => {
    model?.close()
    model = await startFunctionModel(id, answer, context)
  }
}

/**
 * An upstream whose model answers with what a function makes of the request. It replaces the
 * upstreams of a model, and changes its context where one is given, until it is closed.
 */
async function startFunctionModel(
  id: string,
  answer: Answer,
  { contextSize }: { contextSize?: number } = {},
): Promise<{ close: () => void }> {
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const {
      messages,
      tools = [],
      stream,
    } = JSON.parse(Buffer.concat(chunks).toString()) as FunctionModelRequest & { stream?: boolean }
    // The service says at the end what is left: not what a model answers.
    const said = messages.map((each) =>
      typeof each.content === 'string' ? { ...each, content: withoutNotes(each.content) } : each,
    )
    const reply = answer({ messages: said, tools })
    const calls = 'calls' in reply ? reply.calls : []
    const message = {
      role: 'assistant',
      content: 'text' in reply ? reply.text : null,
      ...(calls.length > 0 && {
        tool_calls: calls.map((call, index) => ({
          index,
          id: `c${messages.length}_${index}`,
          type: 'function',
          function: { name: call.name, arguments: JSON.stringify(call.arguments) },
        })),
      }),
    }
    const finish = calls.length > 0 ? 'tool_calls' : 'stop'
    if (stream) {
      const events = [
        streamChunk(message),
        streamChunk({}, finish),
        { ...streamChunk({}), choices: [], usage: USAGE },
        '[DONE]',
      ]
      return void res.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.map(sseEvent).join(''))
    }
    res.setHeader('content-type', 'application/json')
    const choices = [{ index: 0, message, finish_reason: finish }]
    res.end(JSON.stringify({ id: 'x', object: 'chat.completion', created: 0, model: 'x', choices, usage: USAGE }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const model = findModel(id)
  if (!model) throw new Error(`There is no model ${id}.`)
  const { upstreams, contextSize: size } = model
  Object.assign(model, {
    contextSize: contextSize ?? size,
    upstreams: upstreams.slice(0, 1).map((one) => ({ ...one, api: 'chat', baseUrl: `http://127.0.0.1:${port}/v1` })),
  })
  return {
    close: () => {
      Object.assign(model, { upstreams, contextSize: size })
      server.closeAllConnections()
      server.close()
    },
  }
}
