import { Agent } from 'node:http'
import { type ChatSubject, readStream, type StreamFigures, sumUpStreams } from './chat-client'
import { type ChatServer, startChatSetup } from './chat-setup'
import { streamTable } from './chat-tables'
import { type BenchResult, measureInTurns } from './measure'
import { benchOptions } from './options'
import { hasPortkey, startPortkey } from './portkey'
import { medianOfEach } from './table'

const STREAMS = 100

/** Streams that begin in the same instant, over connections of an agent. */
async function burst(subject: ChatSubject, agent: Agent): Promise<StreamFigures> {
  return sumUpStreams(await Promise.all(Array.from({ length: STREAMS }, () => readStream(subject, agent))))
}

/** A burst over connections that one before it has opened. */
async function burstWhenWarm(subject: ChatSubject): Promise<StreamFigures> {
  const agent = new Agent({ keepAlive: true })
  await burst(subject, agent)
  const figures = await burst(subject, agent)
  agent.destroy()
  return figures
}

/** The first thing that a process gets to do, once it says that it is ready. */
async function burstWhenFresh(start: () => Promise<ChatServer>): Promise<StreamFigures & { name: string }> {
  const server = await start()
  const agent = new Agent({ keepAlive: true })
  try {
    return { name: server.name, ...(await burst(server, agent)) }
  } finally {
    agent.destroy()
    await server.stop()
  }
}

/** Rounds of bursts at processes that were started for them. */
async function measureFresh(starts: readonly (() => Promise<ChatServer>)[]): Promise<BenchResult<StreamFigures>[]> {
  const rounds = new Map<string, StreamFigures[]>()
  for (let round = 0; round < benchOptions.rounds; round++) {
    for (const start of starts) {
      const { name, ...figures } = await burstWhenFresh(start)
      rounds.set(name, [...(rounds.get(name) ?? []), figures])
    }
  }
  return [...rounds].map(([name, made]) => ({ name, figures: medianOfEach(made), rounds: made }))
}

/**
 * 100 streams that begin in the same instant, direct, through the production server, and through
 * Portkey's gateway where it is installed: after streams that warmed process and connections up,
 * and as the first thing that a process does. Returns Markdown tables.
 */
export async function benchStreams(): Promise<string> {
  const { upstreamUrl, direct, startOurs, stop } = await startChatSetup()
  const startDirect = async (): Promise<ChatServer> => ({ ...direct, stop: async () => {} })
  const starts = [startDirect, startOurs, ...(hasPortkey() ? [() => startPortkey(upstreamUrl)] : [])]
  const servers: ChatServer[] = []
  try {
    for (const start of starts) servers.push(await start())
    const warm = await measureInTurns(servers, burstWhenWarm)
    for (const server of servers.splice(0)) await server.stop()
    const fresh = await measureFresh(starts)
    return [
      streamTable(`${STREAMS} streams at once, warm`, warm),
      streamTable(`${STREAMS} streams at once, fresh process and connections`, fresh),
    ].join('\n\n')
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await stop()
  }
}
