// The production web process: the API and the pages on one port.

import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import next from 'next'
import { errorStack } from '../kit/error-stack'
import { log } from '../kit/log'
import { printLine } from '../kit/print-line'
import { exitDone, joinLauncher, reportReady, surviveLauncher } from './cluster/child'
import { followSettings } from './cluster/follow-settings'
import { closeAll } from './kit/close-all'
import { CliError, PROJECT_ROOT } from './kit/project'
import { listenForStop } from './kit/stop-signal'
import { withIslands } from './web/serve-islands'
import { withCompressedStatic } from './web/serve-static'
import { startSandboxProcess } from './web/start-sandbox'
import { startWebServer } from './web/start-web-server'
import { renderStreams } from './web/warm-up'

// Only to be compiled: server/cli/compile.mjs.
if (process.argv.includes('--compile')) {
  await renderStreams()
  process.exit(0)
}

/**
 * The settings that the build has worked out, in the variable of Next's standalone output: Next
 * would load its compiler to read next.config.ts, 24 MB and 0.2 s, and a packed folder has none.
 */
function provideNextConfig(preloadEntriesOnStart: boolean): void {
  const built = readFileSync(path.join(PROJECT_ROOT, '.next', 'required-server-files.json'), 'utf8')
  const { config } = JSON.parse(built)
  const experimental = { ...config.experimental, preloadEntriesOnStart }
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify({ ...config, experimental })
}

const settings = await joinLauncher('web')
let sandbox: ChildProcess | null = null
let closePages = async () => {}

async function start() {
  try {
    return await startWebServer(async (env) => {
      provideNextConfig(env.WARM_UP === 1)
      // Next fetches the page that a form redirects to from this address.
      const app = next({ dev: false, port: env.PORT, hostname: env.HOST ?? 'localhost' })
      closePages = () => app.close()
      ;[sandbox] = await Promise.all([startSandboxProcess(env), app.prepare()])
      return { serve: withCompressedStatic(withIslands(app.getRequestHandler())) }
    })
  } catch (error) {
    printLine(error instanceof CliError ? error.message : errorStack(error))
    sandbox?.kill()
    process.exit(1)
  }
}

const server = await start()
const { asked, hurry } = listenForStop()
surviveLauncher()
const following = followSettings('web', settings)
void asked.then(async (why) => {
  log.info({ why }, 'web stops')
  void following.then((stopFollowing) => stopFollowing())
  const isClean = await server.stop(hurry, { isReplaced: why === 'leave' })
  await closeAll({ pages: closePages() })
  sandbox?.kill()
  exitDone(isClean ? 0 : 1)
})
process.on('unhandledRejection', (error) => log.error({ err: errorStack(error) }, 'unhandled'))
await following
reportReady()
