import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { ALSO_IN_PROCESSES, IN_PAGES, IN_PROCESSES, manifest } from './packages.mjs'
import { at, ourEnv } from './root.mjs'

/**
 * @typedef {Record<string, string>} Names
 * @typedef {{ version: string, dependencies?: Names, optionalDependencies?: Names }} Locked
 */

/** @returns {Record<string, Locked>} */
const lockedPackages = () => JSON.parse(readFileSync(at('package-lock.json'), 'utf8')).packages

/**
 * Where a package finds another, as Node does: in its own folder, then in those around it.
 * @param {Record<string, Locked>} packages
 * @param {string} from
 * @param {string} name
 * @returns {string | null}
 */
function placeOf(packages, from, name) {
  const place = from ? `${from}/node_modules/${name}` : `node_modules/${name}`
  if (place in packages) return place
  return from ? placeOf(packages, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name) : null
}

/**
 * The folders of the named packages and of all that they need, as far as they are installed.
 * @param {string[]} names
 */
function withAllTheyNeed(names) {
  const packages = lockedPackages()
  /** @type {Set<string>} */
  const found = new Set()
  const visit = (/** @type {string} */ from, /** @type {string} */ name) => {
    const place = placeOf(packages, from, name)
    if (!place || found.has(place) || !existsSync(at(place))) return
    found.add(place)
    const { dependencies, optionalDependencies } = packages[place] ?? {}
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) visit(place, needed)
  }
  for (const name of names) visit('', name)
  return [...found]
}

/** The package that a file of node_modules belongs to. */
function packageOf(/** @type {string} */ file) {
  const start = file.lastIndexOf('node_modules/') + 'node_modules/'.length
  const [first = '', second = ''] = file.slice(start).split('/')
  return file.slice(0, start) + (first.startsWith('@') ? `${first}/${second}` : first)
}

/**
 * The folders of the packages that users get: those that processes load, or the given `files` of
 * them, and those whose code the build copied.
 * @param {string[]} [files]
 */
export function shippedPackages(files) {
  const loaded = files
    ? files.filter((file) => file.includes('node_modules/')).map(packageOf)
    : withAllTheyNeed(Object.keys(manifest().dependencies))
  const all = new Set([...loaded, ...withAllTheyNeed([...IN_PAGES, ...IN_PROCESSES, ...ALSO_IN_PROCESSES])])
  return [...all].filter((folder) => existsSync(at(folder, 'package.json'))).sort()
}

/**
 * Name, version, licence and licence texts of packages, as one text.
 * @param {string[]} folders
 */
export function noticesOf(folders) {
  const parts = folders.map((folder) => {
    const { name, version, license, homepage } = JSON.parse(readFileSync(at(folder, 'package.json'), 'utf8'))
    const files = readdirSync(at(folder)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    const texts = files.sort().map((file) => readFileSync(at(folder, file), 'utf8').trim())
    const terms = typeof license === 'string' ? license : (license?.type ?? 'see below')
    return [`${name} ${version} (${terms})`, homepage ?? '', ...texts].filter(Boolean).join('\n\n')
  })
  return `Tollgate contains the following software.\n\n${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

/**
 * A CycloneDX document of packages: npm's own, without what is not shipped.
 * @param {string[]} folders
 */
export function sbomOf(folders) {
  const packages = lockedPackages()
  const ids = new Set(folders.map((folder) => `${nameOf(folder)}@${packages[folder]?.version}`))
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--loglevel', 'error']
  const text = execFileSync(npm, args, { env: ourEnv(), cwd: at(), encoding: 'utf8', maxBuffer: 1e8 })
  /** @type {Document} */
  const document = JSON.parse(text)
  const components = document.components.filter(({ name, version }) => ids.has(`${name}@${version}`))
  const refs = new Set(components.map((component) => component['bom-ref']))
  const root = document.metadata.component['bom-ref']
  const dependencies = document.dependencies
    .filter(({ ref }) => ref === root || refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }))
  const { name, version } = manifest()
  const component = { ...document.metadata.component, type: 'application', name, version }
  const metadata = { ...document.metadata, component }
  return `${JSON.stringify({ ...document, metadata, components, dependencies }, null, 2)}\n`
}

/**
 * @typedef {{ 'bom-ref': string }} Ref
 * @typedef {Ref & { name: string, version: string }} Component
 * @typedef {{ ref: string, dependsOn: string[] }} Dependency
 * @typedef {{ component: Ref }} Metadata
 * @typedef {{ metadata: Metadata, components: Component[], dependencies: Dependency[] }} Document
 */

const nameOf = (/** @type {string} */ folder) =>
  folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
