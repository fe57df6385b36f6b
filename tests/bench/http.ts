import { spawn } from 'node:child_process'
import path from 'node:path'
import { findFreePort } from '../../server/cli/ports'
import { PROJECT_ROOT } from '../../server/cli/project'
import { waitUntilServerReady } from '../../server/cli/wait-until-ready'
import { compareSubjects, startGateway } from './measure'

/** A process that the benchmark compares with, ended by its id. */
function startOther(args: string[]): () => void {
  const child = spawn(process.execPath, args, {
    cwd: PROJECT_ROOT,
    stdio: 'ignore',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  return () => void child.kill('SIGKILL')
}

/**
 * Requests a second and latencies (ms) of a billed `/query` through the production server, of a
 * bare Next route handler under `next start`, and of raw node:http. Returns a Markdown table.
 */
export async function benchHttp(): Promise<string> {
  const [nextPort, rawPort] = [await findFreePort(3600), await findFreePort(3700)]
  const [nextUrl, rawUrl] = [`http://127.0.0.1:${nextPort}/healthz`, `http://127.0.0.1:${rawPort}/`]
  const gateway = await startGateway()
  const next = path.join('node_modules', 'next', 'dist', 'bin', 'next')
  const others = [
    startOther([next, 'start', '-p', String(nextPort), '-H', '127.0.0.1']),
    startOther([path.join('tests', 'bench', 'raw-server.mjs'), String(rawPort)]),
  ]
  const query = {
    url: `${gateway.url}/api/v1/query`,
    key: gateway.key,
    body: JSON.stringify({ tool: 'crypto_get_prices', params: { coinIds: ['bitcoin'] } }),
  }
  try {
    for (const ready of [nextUrl, rawUrl]) await waitUntilServerReady(ready)
    return await compareSubjects(
      [
        { name: 'bare Next route handler (next start)', url: nextUrl },
        { name: 'billed /query of a sandbox tool (npm start)', ...query },
        { name: '/healthz through our server (npm start)', url: `${gateway.url}/healthz` },
        { name: 'raw node:http', url: rawUrl },
      ],
      'bare Next',
    )
  } finally {
    for (const end of others) end()
    await gateway.stop()
  }
}
