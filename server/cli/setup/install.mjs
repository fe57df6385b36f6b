import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { isFresh, remember } from './fingerprint.mjs'
import { at, hasDevelopmentTools, hostEnv, NODE, ourEnv } from './root.mjs'
import { run, Stop, step } from './steps.mjs'

const SCHEMA = ['prisma/schema.prisma', 'package-lock.json']
const GENERATED = 'prisma/generated/.made-from'

/**
 * Installs the packages of the lock file and generates the database client, each only when
 * something changed.
 */
export async function install() {
  if (!isInstalled()) {
    // Old npm versions run Prisma's install script, which would download an engine that we never
    // use.
    const env = { ...hostEnv(), PRISMA_SCHEMA_ENGINE_BINARY: process.execPath }
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
    await step('Installing packages', () => run(npm, ['ci', '--no-audit', '--no-fund'], { env, cwd: at() }))
  }
  if (!hasPinnedNode()) throw new Stop('The pinned Node 24 did not install. Delete node_modules and try again.')
  await step('Generating the database client', generate)
}

/**
 * Generates the database client when the schema changed. An installation without development
 * packages runs what was built, which contains the client.
 */
export async function generate() {
  if (!hasDevelopmentTools()) return
  if (isFresh(GENERATED, SCHEMA)) return
  await run(NODE, [at('node_modules/prisma/build/index.js'), 'generate'], { env: ourEnv(), cwd: at() })
  remember(GENERATED, SCHEMA)
}

/**
 * True when npm's own record of what it installed, which it writes last, says the same as the lock
 * file.
 */
function isInstalled() {
  const record = at('node_modules', '.package-lock.json')
  if (!existsSync(record) || !hasPinnedNode()) return false
  /** @type {Record<string, { version?: string }>} */
  const wanted = JSON.parse(readFileSync(at('package-lock.json'), 'utf8')).packages
  /** @type {Record<string, { version?: string }>} */
  const found = JSON.parse(readFileSync(record, 'utf8')).packages
  // Of what is locked, npm leaves out other platforms' packages and unused peers, so only our own
  // are asked for by name.
  const { dependencies, devDependencies } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
  const isThere = Object.keys({ ...dependencies, ...devDependencies }).every((name) => `node_modules/${name}` in found)
  return isThere && Object.entries(found).every(([name, { version }]) => wanted[name]?.version === version)
}

function hasPinnedNode() {
  if (!existsSync(NODE)) return false
  return spawnSync(NODE, ['-e', 'process.exit(+(parseInt(process.versions.node) < 24))']).status === 0
}
