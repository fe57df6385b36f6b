// run.mjs <entry> <arguments>: an entry from dist/ when that is up to date, else from its source.
import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { hasFreshEntries } from './setup/build.mjs'
import { at, compileCache, hasDevelopmentTools, ourEnv, runtime, SERVICE_OPTIONS } from './setup/root.mjs'
import { runOnPinnedNode, watchNpm } from './setup/run-on-pinned-node.mjs'

const [entry = '', ...args] = process.argv.slice(2)
const isServed = ['web', 'worker', 'sandbox'].includes(entry)
const isBuilt = existsSync(at('dist', `${entry}.js`)) && (isServed || !hasDevelopmentTools() || hasFreshEntries())

/**
 * The installation by the name that it was started under: what a link leads to when a service
 * starts its next processes is the release that they are of.
 */
const named = path.resolve(process.argv[1] ?? '', '..', '..', '..')

/** @param {string} name */
const from = (name) =>
  isBuilt
    ? [...(isServed ? SERVICE_OPTIONS : ['--enable-source-maps']), path.join(named, 'dist', `${name}.js`)]
    : ['--import', 'tsx', at('server/cli', `${name}.ts`)]

if (runtime() === null) {
  const isInstalled = existsSync(at('node_modules'))
  const why = isInstalled
    ? 'Without development packages this needs Node 24 or newer.'
    : 'Packages are not installed: run npm ci first.'
  process.stderr.write(`${why}\n`)
  process.exit(1)
}
if (!isBuilt && (isServed || !hasDevelopmentTools())) {
  process.stderr.write('Nothing is built yet: run npm run build first.\n')
  process.exit(1)
}
process.env.NODE_COMPILE_CACHE = compileCache()
if (isBuilt && process.execPath === runtime()) {
  // This is the Node to run on: the launcher needs no process of its own.
  enableCompileCache()
  Object.assign(process.env, ourEnv())
  process.chdir(at())
  watchNpm(() => process.kill(process.pid, 'SIGTERM'))
  process.argv = [process.execPath, at('dist', 'launch.js'), ...from(entry), ...args]
  await import(pathToFileURL(at('dist', 'launch.js')).href)
} else {
  process.exitCode = await runOnPinnedNode([...from('launch'), ...from(entry), ...args])
}
