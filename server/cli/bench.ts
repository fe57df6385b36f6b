// npm run bench: what we claim about speed, measured as ratios in one run. With --write, kept in tests/bench/RESULTS.md.
import { writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import path from 'node:path'
import { benchAgent } from '../../tests/bench/agent'
import { benchChat } from '../../tests/bench/chat'
import { benchHttp } from '../../tests/bench/http'
import { benchLedger } from '../../tests/bench/ledger'
import { benchMcp } from '../../tests/bench/mcp'
import setup from '../../tests/support/global-setup'
import { closeDb, pool } from '../db'
import { main, ROOT } from './project'

const write = process.argv.includes('--write')

async function machine(): Promise<string> {
  const { rows } = await pool().query<{ server_version: string }>('SHOW server_version')
  const [cpu] = cpus()
  return `${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, PostgreSQL ${rows[0]?.server_version}, ${new Date().toISOString().slice(0, 10)}`
}

await main(async () => {
  const drop = await setup()
  try {
    const sections = [
      `Machine: ${await machine()}. Load, servers, sandbox and database share it.`,
      `## The money path\n\n${await benchLedger()}`,
      `## A billed call over HTTP\n\n${await benchHttp()}`,
      `## A chat completion\n\n${await benchChat()}`,
      `## The same call over MCP\n\n${await benchMcp()}`,
      `## Agent runs\n\n${await benchAgent()}`,
    ]
    const text = `${sections.join('\n\n')}\n`
    process.stdout.write(text)
    if (write) {
      const head =
        '# Benchmark results\n\nOne run of `npm run bench -- --write`. Read the ratios: absolute figures belong to the machine.\n\n'
      writeFileSync(path.join(ROOT, 'tests/bench/RESULTS.md'), head + text)
    }
    return 0
  } finally {
    await closeDb()
    await drop()
  }
})
