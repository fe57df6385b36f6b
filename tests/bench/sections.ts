import { benchAccounts } from './accounts'
import { benchAgainst } from './against'
import { benchAgent } from './agent'
import { benchCapacity } from './capacity'
import { benchChat } from './chat'
import { benchHostile } from './hostile'
import { benchHttp } from './http'
import { benchLedger } from './ledger'
import { benchMcp } from './mcp'
import { benchPages } from './pages'
import { benchPeers } from './peers'
import { benchProcesses } from './processes'
import { benchReads } from './reads'
import { benchReceipts } from './receipts'
import { benchRefusals } from './refusals'
import { benchSoak } from './soak'
import { benchStreams } from './streams'
import { benchVerify } from './verify'
import { benchWatchers } from './watchers'

/** A bench: its heading in the results, what to know about its figures, and what makes them. */
export type BenchSection = {
  title: string
  note?: string
  run: () => Promise<string>
  /** Runs only where it is named. */
  isOnDemand?: boolean
}

const SHARED_CORES = `The processes share two cores with PostgreSQL, the sandbox and the load, and one
keeps them busy: more processes make smaller batches, and each call costs more. They pay where they
have cores of their own.`

/** The benches by the names that choose them. */
export const BENCH_SECTIONS: Record<string, BenchSection> = {
  ledger: { title: 'The money path', run: benchLedger },
  http: { title: 'A billed call over HTTP', run: benchHttp },
  chat: { title: 'A chat completion', run: benchChat },
  streams: { title: '100 streams in the same instant', run: benchStreams },
  peers: { title: 'A chat completion against another gateway', run: benchPeers, isOnDemand: true },
  mcp: { title: 'The same call over MCP', run: benchMcp },
  agent: { title: 'Agent runs', run: benchAgent },
  processes: { title: 'Several web processes on one port', note: SHARED_CORES, run: benchProcesses },
  accounts: { title: '10,000 accounts', run: benchAccounts },
  receipts: { title: 'Calls beside 2 million receipts', run: benchReceipts },
  watchers: { title: '5,000 idle event streams', run: benchWatchers },
  hostile: { title: 'Calls beside another owner’s hostile requests', run: benchHostile },
  reads: { title: 'Reads beside much history', run: benchReads },
  pages: { title: 'Pages of an owner at volume', run: benchPages },
  refusals: { title: 'Refused calls, and what counting them costs', run: benchRefusals },
  verify: { title: 'Calls beside ledger verify', run: benchVerify },
  capacity: { title: 'What 1 to 64 machines serve', run: benchCapacity, isOnDemand: true },
  soak: { title: 'A third of full speed for an hour', run: benchSoak, isOnDemand: true },
  against: { title: 'Against another checkout', run: benchAgainst, isOnDemand: true },
}
