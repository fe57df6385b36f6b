// npm run bench: what we claim about speed, measured as ratios in one run. With --write, kept in
// tests/bench/RESULTS.md. Names of sections run only those: npm run bench -- ledger reads
import { writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import path from 'node:path'
import { benchAccounts } from '../../tests/bench/accounts'
import { benchAgainst } from '../../tests/bench/against'
import { benchAgent } from '../../tests/bench/agent'
import { benchChat } from '../../tests/bench/chat'
import { benchHttp } from '../../tests/bench/http'
import { benchLedger } from '../../tests/bench/ledger'
import { benchMcp } from '../../tests/bench/mcp'
import { readBenchCommand } from '../../tests/bench/options'
import { benchPages } from '../../tests/bench/pages'
import { benchPeers } from '../../tests/bench/peers'
import { prepareBench } from '../../tests/bench/prepare'
import { benchProcesses } from '../../tests/bench/processes'
import { benchReads } from '../../tests/bench/reads'
import { benchReceipts } from '../../tests/bench/receipts'
import { benchSoak } from '../../tests/bench/soak'
import { benchStreams } from '../../tests/bench/streams'
import { benchVerify } from '../../tests/bench/verify'
import { benchWatchers } from '../../tests/bench/watchers'
import { closeDb, mainPool } from '../db'
import { CliError, PROJECT_ROOT, runMain } from './project'

/** The sections by the names that choose them. */
const SECTIONS: Record<string, { title: string; run: () => Promise<string>; isOnDemand?: boolean }> = {
  ledger: { title: 'The money path', run: benchLedger },
  http: { title: 'A billed call over HTTP', run: benchHttp },
  processes: { title: 'Several web processes on one port', run: benchProcesses },
  chat: { title: 'A chat completion', run: benchChat },
  streams: { title: '100 streams in the same instant', run: benchStreams },
  peers: { title: 'A chat completion against another gateway', run: benchPeers, isOnDemand: true },
  mcp: { title: 'The same call over MCP', run: benchMcp },
  agent: { title: 'Agent runs', run: benchAgent },
  reads: { title: 'Reads beside much history', run: benchReads },
  pages: { title: 'Pages of an owner at volume', run: benchPages },
  verify: { title: 'Calls beside ledger verify', run: benchVerify },
  accounts: { title: '10,000 accounts', run: benchAccounts },
  receipts: { title: 'Calls beside 2 million receipts', run: benchReceipts, isOnDemand: true },
  watchers: { title: '5,000 idle event streams', run: benchWatchers },
  soak: { title: 'An hour at half of full speed', run: benchSoak, isOnDemand: true },
  against: { title: 'Against another checkout', run: benchAgainst, isOnDemand: true },
}

async function machine(): Promise<string> {
  const { rows } = await mainPool().query<{ server_version: string }>('SHOW server_version')
  const [cpu] = cpus()
  return `${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, PostgreSQL ${rows[0]?.server_version}, ${new Date().toISOString().slice(0, 10)}`
}

await runMain(async () => {
  const { names: chosen, write } = readBenchCommand(process.argv.slice(2))
  // The limits of an owner must not be what is measured.
  Object.assign(process.env, { OWNER_RPM: '1000000000', OWNER_CONCURRENCY: '1000000' })
  const cleanUp = await prepareBench()
  try {
    const unknown = chosen.find((name) => !(name in SECTIONS))
    if (unknown) throw new CliError(`There is no section ${unknown}: choose of ${Object.keys(SECTIONS).join(', ')}`)
    if (write && chosen.length > 0) throw new CliError('--write keeps whole runs only')
    const sections = [`Machine: ${await machine()}. Load, servers, sandbox and database share it.`]
    for (const [name, { title, run, isOnDemand }] of Object.entries(SECTIONS)) {
      if (chosen.length === 0 ? !isOnDemand : chosen.includes(name)) sections.push(`## ${title}\n\n${await run()}`)
    }
    const text = `${sections.join('\n\n')}\n`
    process.stdout.write(text)
    if (write) {
      const head =
        '# Benchmark results\n\nOne run of `npm run bench -- --write`. Read the ratios: absolute figures belong to the machine.\nComparisons between versions: [HISTORY.md](HISTORY.md).\n\n'
      writeFileSync(path.join(PROJECT_ROOT, 'tests/bench/RESULTS.md'), head + text)
    }
    return 0
  } finally {
    await closeDb()
    await cleanUp()
  }
})
