import { execFile } from 'node:child_process'
import { cpSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { findFreePort } from '../../server/cli/kit/ports'
import { PROJECT_ROOT } from '../../server/cli/kit/project'
import { waitUntilServerReady } from '../../server/cli/wait-until-ready'
import { compareSubjects, startGateway } from './measure'
import { startOtherProcess } from './other-process'
import { QUERY_BODY } from './query-body'

const NEXT = path.join('node_modules', 'next', 'dist', 'bin', 'next')
/** A Next app with one route handler: those of Tollgate need the server of their process. */
const BARE_NEXT_SOURCE = path.join(PROJECT_ROOT, 'tests', 'bench', 'bare-next')
/** Where it is built, outside the source tree. */
const BARE_NEXT = path.join(PROJECT_ROOT, '.data', 'bare-next')

/**
 * Requests a second, latencies (ms) and CPU time a call of a billed `/query` through the production
 * server, of a bare Next route handler under `next start`, and of raw node:http. Returns a Markdown
 * table.
 */
export async function benchHttp(): Promise<string> {
  const [nextPort, rawPort] = [await findFreePort(3600), await findFreePort(3700)]
  const [nextUrl, rawUrl] = [`http://127.0.0.1:${nextPort}/healthz`, `http://127.0.0.1:${rawPort}/`]
  cpSync(BARE_NEXT_SOURCE, BARE_NEXT, { recursive: true })
  await promisify(execFile)(process.execPath, [NEXT, 'build', BARE_NEXT], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const gateway = await startGateway()
  const next = startOtherProcess([NEXT, 'start', BARE_NEXT, '-p', String(nextPort), '-H', '127.0.0.1'])
  const raw = startOtherProcess([path.join('tests', 'bench', 'raw-server.mjs'), String(rawPort)])
  const query = {
    pid: gateway.pid,
    url: `${gateway.url}/api/v1/query`,
    key: gateway.key,
    body: QUERY_BODY,
  }
  try {
    for (const ready of [nextUrl, rawUrl]) await waitUntilServerReady(ready)
    return await compareSubjects(
      [
        { name: 'bare Next route handler (next start)', pid: next.pid, url: nextUrl },
        { name: 'billed /query of a sandbox tool (npm start)', ...query },
        { name: '/healthz through our server (npm start)', pid: gateway.pid, url: `${gateway.url}/healthz` },
        { name: 'raw node:http', pid: raw.pid, url: rawUrl },
      ],
      'bare Next',
    )
  } finally {
    for (const other of [next, raw]) other.end()
    await gateway.stop()
  }
}
