import { execFile } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { createHttpServer } from '../../server/cli/web/http-server'
import { MCP_PATH } from '../support/mcp'
import { SOURCE_ROOT } from '../support/source-imports'

const SUITE = path.join(SOURCE_ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
const NOT_APPLICABLE = path.join(SOURCE_ROOT, 'tests/conformance/not-applicable.yml')

/**
 * Runs every server scenario of the official conformance suite against the production listener on a
 * separate port. The suite cannot send a key, so the listener adds this one. Scenarios in
 * not-applicable.yml must fail, all others pass.
 */
export async function runConformance(key: string): Promise<{ exitCode: number; output: string }> {
  const server = createHttpServer((_req, res) => void res.writeHead(404).end(), { count: 0 })
  server.prependListener('request', (req) => req.rawHeaders.push('Authorization', `Bearer ${key}`))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${MCP_PATH}`
  const args = [SUITE, 'server', '--url', url, '--suite', 'all', '--expected-failures', NOT_APPLICABLE]
  try {
    return await new Promise((resolve) => {
      execFile(process.execPath, args, { cwd: SOURCE_ROOT, maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) =>
        resolve({ exitCode: error ? 1 : 0, output: stdout + stderr }),
      )
    })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
