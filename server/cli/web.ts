// The production web process: the API and the pages on one port.

import type { ChildProcess } from 'node:child_process'
import next from 'next'
import { errorStack } from '../kit/error-stack'
import { log } from '../kit/log'
import { joinLauncher, reportReady, surviveLauncher } from './cluster/child'
import { CliError } from './project'
import { listenForStop } from './stop-signal'
import { withIslands } from './web/serve-islands'
import { withCompressedStatic } from './web/serve-static'
import { startSandboxProcess } from './web/start-sandbox'
import { startWebServer } from './web/start-web-server'

// Node reads next.config.ts by itself: Next's compiler would be loaded for it, 24 MB and 0.2 s.
// This is what its option --experimental-next-config-strip-types sets.
process.env.__NEXT_NODE_NATIVE_TS_LOADER_ENABLED = 'true'

joinLauncher()
let sandbox: ChildProcess | null = null
let closePages = async () => {}

async function start() {
  try {
    return await startWebServer(async (env) => {
      // Next fetches the page that a form redirects to from this address.
      const app = next({ dev: false, port: env.PORT, hostname: env.HOST ?? 'localhost' })
      closePages = () => app.close()
      ;[sandbox] = await Promise.all([startSandboxProcess(env), app.prepare()])
      return { serve: withCompressedStatic(withIslands(app.getRequestHandler())) }
    })
  } catch (error) {
    process.stderr.write(`${error instanceof CliError ? error.message : errorStack(error)}\n`)
    sandbox?.kill()
    process.exit(1)
  }
}

const server = await start()
const { asked, hurry } = listenForStop()
surviveLauncher()
reportReady()
void asked.then(async (why) => {
  log.info({ why }, 'web stops')
  const isClean = await server.stop(hurry, { isReplaced: why === 'leave' })
  await closePages()
  sandbox?.kill()
  process.exit(isClean ? 0 : 1)
})
process.on('unhandledRejection', (error) => log.error({ err: errorStack(error) }, 'unhandled'))
