import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { UnknownRecord } from '../../kit/record'
import { ALWAYS_503, sandboxModels } from '../../models/sandbox-models'
import type { SandboxRoute } from '../kit/route'
import { completeWithImage, wantsImage } from '../openrouter/images'
import { playAgentStep } from '../player/play'
import { type ScriptStep, scriptedStep } from '../script/script'
import { talkStep } from '../talk/reply'
import { makeCompletion } from './completion'
import { messagesSandboxWire } from './messages'
import { countMessageTokens } from './messages-request'
import names from './names.json'
import { chatSandboxWire } from './reply'
import { responsesSandboxWire } from './responses-reply'
import { type SandboxWire, streamMoves } from './stream'

/** For tests: calls whose caller left before the end, and the last body that came. */
let aborted = 0
let last: { body: UnknownRecord; headers: Record<string, string> } | null = null
const failures = new Map<string, number>()

const failWith = ({ errorBody }: SandboxWire, step: ScriptStep, status: number): Response =>
  Response.json(errorBody(step, status), {
    status,
    headers: step.retryAfterS === undefined ? {} : { 'retry-after': String(step.retryAfterS) },
  })

/** True while the script wants this request to fail: always, or its first `failTimes` times. */
function isFailing({ status, failTimes }: ScriptStep, body: UnknownRecord): boolean {
  if (status === undefined || status === 200) return false
  if (failTimes === undefined) return true
  const id = hash('sha256', JSON.stringify(body), 'base64')
  const before = failures.get(id) ?? 0
  failures.set(id, before + 1)
  return before < failTimes
}

const never = (gone: AbortSignal): Promise<never> =>
  new Promise((_, reject) => gone.addEventListener('abort', () => reject(gone.reason), { once: true }))

const completionsIn = (wire: SandboxWire) => (req: Request) => complete(req, wire)

async function complete(req: Request, wire: SandboxWire): Promise<Response> {
  const body = (await req.json()) as UnknownRecord
  last = { body, headers: Object.fromEntries(req.headers) }
  const credential = req.headers.get('authorization') ?? req.headers.get('x-api-key')
  if (/^(Bearer )?wrong$/.test(credential ?? '')) return failWith(wire, { message: 'Incorrect API key provided' }, 401)
  if (wire === chatSandboxWire && wantsImage(body)) return completeWithImage(body)
  if (body.model === ALWAYS_503)
    return failWith(wire, { message: 'This upstream never has capacity', retryAfterS: 7 }, 503)

  const gone = new AbortController()
  let isOpen = true
  const finish = () => {
    isOpen = false
  }
  const leave = () => {
    if (isOpen) {
      aborted++
      gone.abort(new Error('the caller left'))
    }
    finish()
  }
  req.signal.addEventListener('abort', leave)
  try {
    return await answer(body, wire, { gone: gone.signal, leave, finish })
  } catch (error) {
    finish()
    const why = error instanceof Error ? error.message : error
    return failWith(wire, { message: `The sandbox cannot read this: ${why}` }, 400)
  }
}

type Call = { gone: AbortSignal; leave: () => void; finish: () => void }

async function answer(asked: UnknownRecord, wire: SandboxWire, { gone, leave, finish }: Call): Promise<Response> {
  const body = wire.toChatForm(asked)
  const step = scriptedStep(body) ?? playAgentStep(body) ?? talkStep(body)
  if (step.delayMs) await sleep(step.delayMs, undefined, { signal: gone })
  if (step.hang) await never(gone)
  if (isFailing(step, asked)) {
    finish()
    return failWith(wire, step, step.status ?? 500)
  }
  const made = await makeCompletion(body, step)
  if (asked.stream !== true) {
    finish()
    return Response.json(step.errorBody200 ? wire.errorBody(step, 502) : wire.answerBody(made, step, asked))
  }
  const moves = streamMoves(wire.stream(made, step, asked), step, gone)
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: async (out) => {
        const { done, value: move } = await moves.next()
        if (done) {
          finish()
          out.close()
        } else if (move.kind === 'send') out.enqueue(encoder.encode(move.text))
        else if (move.kind === 'hang') await never(gone)
        else {
          finish()
          // What was said before has to be on the wire first.
          await sleep(20)
          out.error(new Error('the script cuts the connection'))
        }
      },
      cancel: leave,
    },
    { highWaterMark: 1 },
  )
  return new Response(stream, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' } })
}

/** The upstream's own list: names as it knows them, prices and all, in the form routers use. */
function listModels(req: Request): Response {
  const data = sandboxModels(new URL(req.url).origin).map((model) => ({
    id: model.id,
    name: model.name,
    created: 0,
    context_length: model.contextSize,
    architecture: {
      input_modalities: model.vision ? ['text', 'image'] : ['text'],
      output_modalities: [names.outputs[model.kind]],
    },
    pricing: { prompt: String(model.usdPer1mInput / 1e6), completion: String(model.usdPer1mOutput / 1e6) },
    top_provider: { max_completion_tokens: model.maxOutput },
  }))
  return Response.json({ object: 'list', data })
}

/** An upstream for completions; the README of `script` says how its answers can be chosen. */
export const modelsRoutes: readonly SandboxRoute[] = [
  { method: 'POST', path: '/llm/v1/chat/completions', handle: completionsIn(chatSandboxWire) },
  { method: 'POST', path: '/llm/v1/responses', handle: completionsIn(responsesSandboxWire) },
  { method: 'POST', path: '/llm/v1/messages', handle: completionsIn(messagesSandboxWire) },
  { method: 'POST', path: '/llm/v1/messages/count_tokens', handle: countMessageTokens },
  { method: 'GET', path: '/llm/v1/models', handle: listModels },
  { method: 'GET', path: '/llm/__aborted', handle: () => Response.json({ count: aborted }) },
  { method: 'GET', path: '/llm/__last', handle: () => Response.json(last) },
]
