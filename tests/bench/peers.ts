import { oneByOne, together } from './chat'
import type { ChatSubject } from './chat-client'
import { type ChatServer, startChatSetup } from './chat-setup'
import { completionTable } from './chat-tables'
import { measureInTurns } from './measure'
import { otherNode, requirePortkey, startPortkey } from './portkey'

/**
 * A billed completion through the production server against an unbilled one through Portkey's
 * gateway, before the same upstream, in turns: one by one and 32 at once. Portkey runs on the Node
 * that we run on, and where the machine has another one also on that. Returns Markdown tables.
 */
export async function benchPeers(): Promise<string> {
  requirePortkey()
  const { upstreamUrl, direct, startOurs, stop } = await startChatSetup()
  const servers: ChatServer[] = []
  try {
    servers.push(await startOurs())
    servers.push(await startPortkey(upstreamUrl))
    const other = otherNode()
    if (other) servers.push(await startPortkey(upstreamUrl, other))
    const subjects: ChatSubject[] = [direct, ...servers]
    const [alone, many] = [await measureInTurns(subjects, oneByOne), await measureInTurns(subjects, together)]
    return [
      completionTable('one by one', alone, { name: 'Portkey', result: alone[2] }),
      completionTable('32 connections', many, { name: 'Portkey', result: many[2] }),
    ].join('\n\n')
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await stop()
  }
}
