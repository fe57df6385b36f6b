import { setTimeout as sleep } from 'node:timers/promises'
import OpenAI from 'openai'
import { fetch, type RequestInit } from 'undici'
import { type BodyReading, CALL_TIMEOUT_MS, type ClientCall, callDispatcher, chargeInBody } from '../call'
import { FAULTS_MODEL, LONG_STREAM, readChatStream, SLOW_REPLY, scriptedMessages } from './chat'
import type { ClientRecord, FaultChannel, Traffic } from './define'

/** One request the library sent; `text` resolves to as much of the body as came. */
type Attempt = { call: ClientCall; text: Promise<string> }

type Ask = (client: OpenAI) => Promise<BodyReading>

const complete: Ask = async (client) => {
  const answer = await client.chat.completions.create({ model: FAULTS_MODEL, messages: scriptedMessages(SLOW_REPLY) })
  return { charged: chargeInBody(answer), isDelivered: true }
}

const stream: Ask = async (client) => {
  let charged: number | null = null
  const chunks = await client.chat.completions.create({
    model: FAULTS_MODEL,
    messages: scriptedMessages(LONG_STREAM),
    stream: true,
  })
  for await (const chunk of chunks) charged = chargeInBody(chunk) ?? charged
  return { charged, isDelivered: charged !== null }
}

/** The fetch of a client, which keeps the attempts that the library hides from its program. */
function recordingFetch(attempts: Attempt[]) {
  return async (input: string | URL | Request, init?: globalThis.RequestInit): Promise<globalThis.Response> => {
    const startedAt = Date.now()
    const record = (given: Pick<ClientCall, 'outcome' | 'status' | 'requestId' | 'note'>, text: Promise<string>) =>
      attempts.push({
        call: { ...given, charged: null, isDelivered: false, startedAt, ms: Date.now() - startedAt },
        text,
      })
    try {
      const response = await fetch(String(input), { ...(init as RequestInit), dispatcher: callDispatcher })
      const { status, headers } = response
      const text = readAll(response.clone().body)
      record({ outcome: 'answered', status, requestId: headers.get('x-request-id'), note: `${status}` }, text)
      // undici's types and the platform's describe the same object.
      return response as unknown as globalThis.Response
    } catch (error) {
      const { code = '' } = ((error as Error).cause ?? {}) as { code?: string }
      const outcome = code === 'ECONNREFUSED' ? 'unsent' : 'cut'
      record({ outcome, status: null, requestId: null, note: code }, Promise.resolve(''))
      throw error
    }
  }
}

/** A body's text up to where its connection closed. */
async function readAll(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of body ?? []) text += decoder.decode(chunk, { stream: true })
  } catch {
    // The connection closed: what came before counts.
  }
  return text
}

/**
 * What a program that uses the library has seen: a record for the whole call, and one for each
 * failed attempt.
 */
async function ask(web: string, key: string, how: Ask): Promise<ClientCall[]> {
  const attempts: Attempt[] = []
  const client = new OpenAI({
    baseURL: `${web}/api/v1`,
    apiKey: key,
    timeout: CALL_TIMEOUT_MS,
    fetch: recordingFetch(attempts),
  })
  const outcome = await how(client).catch((error: Error) => error)
  const last = attempts.pop()
  if (!last) throw new Error(`the library sent nothing: ${outcome}`)
  const before = attempts.map(({ call }) => call)
  const ms = Date.now() - last.call.startedAt
  if (!(outcome instanceof Error)) return [...before, { ...last.call, ...outcome, ms }]
  const note = outcome.message
  if (last.call.outcome !== 'answered') return [...before, { ...last.call, ms, note }]
  // The library's exception for a failed stream does not carry `service`: it is read from the raw
  // response.
  const text = await last.text
  const isCut = last.call.status === 200 && !text.includes('event: error')
  const { charged } = readChatStream(text, last.call.status ?? 0)
  return [...before, { ...last.call, ...(isCut && { outcome: 'cut' as const }), charged, ms, note }]
}

/**
 * The openai library as programs use it: it sends a call again after 503, and its program pays for
 * what it saw.
 */
export const sdkChat: FaultChannel = {
  name: 'chat, openai SDK',
  minPrice: 1,
  hasRuns: false,
  send: async ({ webs, key, isOver, isDraining }: Traffic, seen: ClientRecord) => {
    const caller = async (web: string, how: Ask) => {
      while (!isOver()) {
        if (!isDraining(web)) seen.calls.push(...(await ask(web, key, how)))
        await sleep(300)
      }
    }
    await Promise.all(webs.flatMap((web) => [caller(web, complete), caller(web, stream)]))
  },
}
