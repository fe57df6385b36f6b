import { oneByOne, together } from './chat'
import { type ChatServer, startChatSetup } from './chat-setup'
import { completionTable, streamTable } from './chat-tables'
import { measureInTurns } from './measure'
import { burstWhenWarm, measureFresh } from './streams'

/**
 * Completions through the production server to an upstream with TLS, over HTTP/1.1 and over HTTP/2:
 * one by one, 32 at once, and 100 streams in the same instant, with connections and without. What
 * is added is against HTTP/1.1. Returns Markdown tables.
 */
export async function benchTls(): Promise<string> {
  const { startOurs, stop } = await startChatSetup({ withTls: true })
  const starts = [0, 1].map((on) => () => startOurs(on ? 'HTTP/2' : 'HTTP/1.1', { PROVIDER_HTTP2: String(on) }))
  const servers: ChatServer[] = []
  try {
    for (const start of starts) servers.push(await start())
    const [alone, many] = [await measureInTurns(servers, oneByOne), await measureInTurns(servers, together)]
    const warm = await measureInTurns(servers, burstWhenWarm)
    for (const server of servers.splice(0)) await server.stop()
    const fresh = await measureFresh(starts)
    const against = (result: (typeof alone)[number] | undefined) => ({ name: 'HTTP/1.1', result })
    return [
      completionTable('one by one', alone, against(alone[0])),
      completionTable('32 connections', many, against(many[0])),
      streamTable('100 streams at once, warm', warm),
      streamTable('100 streams at once, fresh process and connections', fresh),
    ].join('\n\n')
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await stop()
  }
}
