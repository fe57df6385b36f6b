import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../server/cli/kit/ports'
import { type ChatSubject, completeOneByOne, readStream, type StreamFigures, sumUpStreams } from './chat-client'
import { startChatSetup } from './chat-setup'
import { completionTable, streamTable } from './chat-tables'
import { type LoadFigures, measureInTurns, measureLoad } from './measure'
import { completionBody } from './mock-model'
import { startOtherProcess } from './other-process'

const SECONDS = 3
const STREAMS = 100

/** Completions over one connection, one after the other. */
export const oneByOne = (subject: ChatSubject): Promise<LoadFigures> => completeOneByOne(subject, SECONDS)

/** Completions over many connections at once. */
export const together = (subject: ChatSubject): Promise<LoadFigures> =>
  measureLoad({ ...subject, body: completionBody(false) }, SECONDS)

/**
 * Callers, each a bit later than the one before; what counts is their second stream, when all of
 * them are at work.
 */
async function streams(subject: ChatSubject): Promise<StreamFigures> {
  const agent = new Agent({ keepAlive: true })
  const caller = async (_: unknown, i: number) => {
    await sleep((i * 1_000) / STREAMS)
    await readStream(subject, agent)
    return readStream(subject, agent)
  }
  const all = await Promise.all(Array.from({ length: STREAMS }, caller))
  agent.destroy()
  return sumUpStreams(all)
}

/**
 * A billed completion through the production server against a direct call to the same upstream and
 * against a proxy of 20 lines: one by one, 32 at once, and 100 streams of 100 chunks. Returns
 * Markdown tables.
 */
export async function benchChat(): Promise<string> {
  const { upstreamUrl, direct, startOurs, stop } = await startChatSetup()
  const proxyPort = await findFreePort(4_900)
  const proxy = startOtherProcess(['tests/bench/pass-proxy.mjs', String(proxyPort), upstreamUrl])
  const url = `http://127.0.0.1:${proxyPort}/chat/completions`
  try {
    const ours = await startOurs()
    try {
      const subjects: ChatSubject[] = [direct, { name: 'a proxy of 20 lines', pid: proxy.pid, url }, ours]
      const [alone, many] = [await measureInTurns(subjects, oneByOne), await measureInTurns(subjects, together)]
      const streamed = await measureInTurns(subjects, streams)
      return [
        completionTable('one by one', alone, { name: 'the proxy', result: alone[1] }),
        completionTable('32 connections', many, { name: 'the proxy', result: many[1] }),
        streamTable(`${STREAMS} streams of 100 chunks, begun within a second`, streamed),
      ].join('\n\n')
    } finally {
      await ours.stop()
    }
  } finally {
    proxy.end()
    await stop()
  }
}
