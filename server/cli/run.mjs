// run.mjs <entry> <arguments>: an entry from dist/ when that is up to date, else from its source.
import { existsSync } from 'node:fs'
import { hasFreshEntries } from './setup/build.mjs'
import { at, hasDevelopmentTools, runtime, SERVICE_OPTIONS } from './setup/root.mjs'
import { runOnPinnedNode } from './setup/run-on-pinned-node.mjs'

const [entry = '', ...args] = process.argv.slice(2)
const isServed = ['web', 'worker', 'sandbox'].includes(entry)
const isBuilt = existsSync(at('dist', `${entry}.js`)) && (isServed || !hasDevelopmentTools() || hasFreshEntries())

/** @param {string} name */
const from = (name) =>
  isBuilt
    ? [...(isServed ? SERVICE_OPTIONS : ['--enable-source-maps']), at('dist', `${name}.js`)]
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
process.exitCode = await runOnPinnedNode([...from('launch'), ...from(entry), ...args])
