// npm run pack -- --to DIR [--with-sandbox]: a folder that runs the service on Node 24 alone, a
// tenth of the size of this one. What it needs is in it; what builds, tests and simulates is not.
import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { build } from './setup/build.mjs'
import { BUILD_RECORD } from './setup/build-record.mjs'
import { manifest } from './setup/packages.mjs'
import { at } from './setup/root.mjs'
import { noticesOf, sbomOf, shippedPackages } from './setup/shipped.mjs'
import { command, Stop, step, stopOnSignals } from './setup/steps.mjs'

/** Read by name when the service runs. */
const FOLDERS = ['public', 'prisma/migrations', 'docs/guides']
const FILES = ['prisma/schema.prisma', 'LICENSE', 'CHANGELOG.md', 'server/cli/compile.mjs', BUILD_RECORD]
/** What Next leaves in `.next` for its next build, or for people. */
const LEFT_OUT = ['build', 'cache', 'diagnostics', 'trace', 'trace-build', 'turbopack', 'types']
const SCRIPTS = ['start', 'worker', 'admin', 'db:migrate']

/**
 * The folder's package.json: its commands, and nothing to install.
 * @param {boolean} withSandbox
 */
function packedManifest(withSandbox) {
  const { name, version, private: isPrivate, license, description, type, engines, scripts } = manifest()
  const names = [...SCRIPTS, ...(withSandbox ? ['sandbox'] : [])]
  const kept = Object.fromEntries(names.map((script) => [script, scripts[script]]))
  return { name, version, private: isPrivate, license, description, type, engines, scripts: kept }
}

/** @param {string} folder */
function emptyFolder(folder) {
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Stop(`${folder} is not empty.`)
  return folder
}

/**
 * @param {string} target
 * @param {boolean} withSandbox
 */
async function pack(target, withSandbox) {
  const { tracedFiles } = await import('./setup/trace.mjs')
  const copy = (/** @type {string} */ name, options = {}) => cpSync(at(name), path.join(target, name), options)
  const files = await tracedFiles({ withSandbox })
  for (const file of [...files, ...FILES]) copy(file)
  for (const folder of FOLDERS) copy(folder, { recursive: true })
  const isServed = (/** @type {string} */ file) =>
    !LEFT_OUT.some((name) => file === at('.next', name)) && !file.endsWith('.nft.json')
  copy('.next', { recursive: true, filter: isServed })
  const packages = shippedPackages(files)
  const write = (/** @type {string} */ name, /** @type {string} */ text) => writeFileSync(path.join(target, name), text)
  write('package.json', `${JSON.stringify(packedManifest(withSandbox), null, 2)}\n`)
  write('THIRD-PARTY-NOTICES.txt', noticesOf(packages))
  write('sbom.cdx.json', sbomOf(packages))
}

stopOnSignals()
await command(async () => {
  const options = /** @type {const} */ ({ to: { type: 'string' }, 'with-sandbox': { type: 'boolean', default: false } })
  const { to, 'with-sandbox': withSandbox } = parseArgs({ options }).values
  if (!to) throw new Stop('Say where to: npm run pack -- --to DIR')
  const target = emptyFolder(path.resolve(to))
  await build()
  await step('Packing', () => pack(target, withSandbox))
  const simulated = withSandbox ? ', with simulated providers' : ''
  process.stdout.write(`${target} runs npm start, npm run worker, npm run admin and npm run db:migrate${simulated}.\n`)
  return 0
})
