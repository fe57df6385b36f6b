// run.mjs <entry> <arguments>: an entry from dist/ when that is up to date, else from its source.
import { existsSync } from 'node:fs'
import { hasFreshEntries } from './setup/build.mjs'
import { handOver } from './setup/hand-over.mjs'
import { at, NODE, SERVICE_OPTIONS } from './setup/root.mjs'

const [entry = '', ...args] = process.argv.slice(2)
const isServed = ['web', 'worker', 'sandbox'].includes(entry)
const isBuilt = existsSync(at('dist', `${entry}.js`)) && (isServed || hasFreshEntries())

/** @param {string} name */
const from = (name) =>
  isBuilt
    ? [...(isServed ? SERVICE_OPTIONS : ['--enable-source-maps']), at('dist', `${name}.js`)]
    : ['--import', 'tsx', at('server/cli', `${name}.ts`)]

if (!existsSync(NODE)) {
  process.stderr.write('Packages are not installed: run npm ci first.\n')
  process.exit(1)
}
if (isServed && !isBuilt) {
  process.stderr.write('Nothing is built yet: run npm run build first.\n')
  process.exit(1)
}
process.exitCode = await handOver([...from('launch'), ...from(entry), ...args])
