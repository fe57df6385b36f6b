import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isRecord, recordsIn, type UnknownRecord } from '../../../server/kit/record'
import { PendingCalls } from '../../../server/sandbox/player/ask'
import { isSummaryRequest, summarizeRecord } from '../../../server/sandbox/player/other-requests'
import { readConversation, type ShownConversation } from './conversation'
import { type Inquiry, makeInquiry } from './inquiry'
import { type Mishap, type ModelMove, makeReply, proofOf, type Reply, roughTokens } from './reply'
import { TEMPERAMENTS, type Temperament } from './temperament'
import { writeReply } from './wire'

/** How a scripted model meets a goal. */
export type Solution = {
  /** The answer; what it needs to know it asks for. */
  solve: (ask: Inquiry, temperament: Temperament) => string
  /** What goes wrong with the n-th request, from 0. */
  mishap?: (n: number, move: ModelMove) => Mishap | null
  /** The provider refuses a request whose thoughts did not come back as they were. */
  isStrict?: boolean
}

/** What the provider remembers between requests: how many came, and the latest for its cache. */
type Memory = { requests: number; prompt: string }

const MIN_CACHED_TOKENS = 1_024
const DEFAULT_LIMIT = 4_096

async function readBody(req: IncomingMessage): Promise<UnknownRecord> {
  const pieces: Buffer[] = []
  for await (const piece of req) pieces.push(piece as Buffer)
  return JSON.parse(Buffer.concat(pieces).toString('utf8')) as UnknownRecord
}

const refuse = (res: ServerResponse, status: number, message: string, headers: Record<string, string> = {}) => {
  res.writeHead(status, { 'content-type': 'application/json', ...headers })
  res.end(JSON.stringify({ error: { message, type: status === 400 ? 'invalid_request_error' : 'overloaded_error' } }))
}

/** True where every thought of the turn came back with its proof. */
function hasProofs({ returned }: ShownConversation, { thoughts }: Temperament): boolean {
  return returned.every((message) => {
    const calls = recordsIn(message.tool_calls)
    const proof = proofOf(String(calls[0]?.id))
    if (thoughts === 'reasoning_content') return typeof message.reasoning_content === 'string'
    if (thoughts === 'reasoning_details') return recordsIn(message.reasoning_details)[0]?.signature === proof
    const [extra] = calls.map((call) => (isRecord(call.extra_content) ? call.extra_content.google : null))
    return isRecord(extra) && extra.thought_signature === proof
  })
}

/** The next move of a model: the calls that its solution waits for, or its answer. */
function nextMove(conversation: ShownConversation, solution: Solution, temperament: Temperament): ModelMove {
  try {
    const text = temperament.preface + solution.solve(makeInquiry(conversation, temperament), temperament)
    const { unfinished } = conversation
    return { text: text.startsWith(unfinished) ? text.slice(unfinished.length) : text }
  } catch (error) {
    if (error instanceof PendingCalls) return { calls: error.calls }
    throw error
  }
}

function commonPrefix(a: string, b: string): number {
  const end = Math.min(a.length, b.length)
  let at = 0
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at++
  return at
}

const limitOf = (body: UnknownRecord) => Number(body.max_completion_tokens ?? body.max_tokens ?? DEFAULT_LIMIT)

function summaryReply(body: UnknownRecord): Reply {
  const content = summarizeRecord(body, Math.min(limitOf(body), 8_000) * 4)
  const outputTokens = roughTokens(content)
  return { message: { role: 'assistant', content }, finish: 'stop', outputTokens, reasoningTokens: 0 }
}

/**
 * Serves the scripted models over HTTP, at `/v1/chat/completions`. The request names the
 * temperament as its model; the goal among the messages says which solution it plays.
 */
export async function serveModels(
  solutions: ReadonlyMap<string, Solution>,
): Promise<{ url: string; stop: () => void }> {
  const memories = new Map<string, Memory>()
  const goals = new Set(solutions.keys())

  function answer(body: UnknownRecord, res: ServerResponse): void {
    const prompt = JSON.stringify([body.tools, body.messages])
    const used = { prompt: roughTokens(prompt), cached: 0, isStream: body.stream === true }
    if (isSummaryRequest(body)) return void writeReply(res, summaryReply(body), used)
    const temperament = TEMPERAMENTS.find(({ name }) => name === body.model)
    const conversation = readConversation(body, goals)
    const solution = conversation && solutions.get(conversation.goal)
    if (!temperament || !conversation || !solution)
      return void refuse(res, 400, 'The scripted model knows no such goal.')
    const key = `${conversation.goal} ${temperament.name}`
    const memory = memories.get(key) ?? { requests: 0, prompt: '' }
    const shared = roughTokens(prompt.slice(0, commonPrefix(memory.prompt, prompt)))
    const n = memory.requests
    memories.set(key, { requests: n + 1, prompt })
    const isStrict = solution.isStrict === true
    if (isStrict && !hasProofs(conversation, temperament))
      return void refuse(res, 400, 'messages: thinking blocks of the latest assistant message cannot be modified')
    const move = nextMove(conversation, solution, temperament)
    const mishap = solution.mishap?.(n, move) ?? null
    if (mishap === 'overloaded') return void refuse(res, 529, 'Overloaded', { 'retry-after': '1' })
    const reply = makeReply(move, { seed: `${key} ${n}`, limit: limitOf(body), mishap, temperament })
    const isStream = used.isStream && mishap !== 'unasked_json'
    writeReply(res, reply, { ...used, isStream, cached: shared >= MIN_CACHED_TOKENS ? shared : 0 })
  }

  const server = createServer(async (req, res) => {
    const body = await readBody(req)
    try {
      answer(body, res)
    } catch (error) {
      process.stderr.write(`scripted model: ${error instanceof Error ? error.stack : String(error)}\n`)
      refuse(res, 400, 'The scripted model failed.')
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, stop }
}
