import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { bundleThreads } from '../../server/cli/bundle-threads.mjs'
import { openDatabaseFolder } from '../../server/cli/embedded/folder'
import { databaseUser } from '../../server/cli/embedded/system-user'
import { PROJECT_ROOT } from '../../server/cli/kit/project'
import { startTestServer, TEST_HOME } from './database'
import { endPostgresNow, onTermination } from './on-termination'

/** Variables of the host that would change what tests see. */
const HOST_VARIABLES = ['PUBLIC_URL', 'PORT', 'HOST', 'SIGNUP', 'SIGNUP_CREDITS', 'TRUST_PROXY']

/**
 * Runs once, before the workers start, which inherit the environment: bundles the threads, starts a
 * database server.
 */
export default async function setup({ vitest }: TestProject): Promise<() => Promise<void>> {
  for (const name of HOST_VARIABLES) delete process.env[name]
  // Processes of tests start some two hundred times, which is mostly compiling.
  process.env.NODE_COMPILE_CACHE ??= path.join(PROJECT_ROOT, '.data', 'compile-cache')
  await bundleThreads()
  const needsDatabase = vitest.projects.some(({ name }) => name !== 'pure')
  if (!needsDatabase) return async () => {}
  const release = await startTestServer()
  if (!process.env.TEST_DATABASE_URL) onTermination(() => endPostgresNow(openDatabaseFolder(TEST_HOME, databaseUser())))
  return release
}
