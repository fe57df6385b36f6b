import type { TestProject } from 'vitest/node'
import { bundleThreads } from '../../server/cli/bundle-threads.mjs'
import { startTestServer } from './database'

/** Variables of the host that would change what tests see. */
const HOST_VARIABLES = ['PUBLIC_URL', 'PORT', 'HOST', 'SIGNUP', 'SIGNUP_CREDITS', 'TRUST_PROXY']

/** Runs once, before the workers start, which inherit the environment: bundles the threads, starts a database server. */
export default async function setup({ vitest }: TestProject): Promise<() => Promise<void>> {
  for (const name of HOST_VARIABLES) delete process.env[name]
  await bundleThreads()
  const needsDatabase = vitest.projects.some(({ name }) => name !== 'pure')
  return needsDatabase ? startTestServer() : async () => {}
}
