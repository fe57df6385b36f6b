// npm leaves packages for other platforms out of the lock when the registry at hand lacks them, and
// `npm ci` then fails with "Missing: … from lock file". This adds an entry for each. Run it after
// every `npm install`.
import { readFileSync, writeFileSync } from 'node:fs'
import { at } from './setup/root.mjs'

const OS = {
  aix: 'aix',
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  linuxmusl: 'linux',
  netbsd: 'netbsd',
  openbsd: 'openbsd',
  openharmony: 'openharmony',
  sunos: 'sunos',
  win32: 'win32',
  windows: 'win32',
}
const CPU = {
  arm: 'arm',
  arm64: 'arm64',
  armv7: 'arm',
  ia32: 'ia32',
  loong64: 'loong64',
  mips64el: 'mips64el',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  wasm32: 'wasm32',
  x64: 'x64',
}

/**
 * The values of a table whose names occur in a package's name; a value nobody has keeps the package
 * uninstalled.
 */
const named = (/** @type {Record<string, string>} */ table, /** @type {string[]} */ words) => {
  const found = words.flatMap((word) => table[word] ?? [])
  return found.length > 0 ? found : ['none']
}

const lock = JSON.parse(readFileSync(at('package-lock.json'), 'utf8'))
const packages = new Map(Object.entries(lock.packages))
const before = packages.size

for (const [user, { optionalDependencies = {}, dev }] of [...packages]) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const isLocked = packages.has(`node_modules/${name}`) || packages.has(`${user}/node_modules/${name}`)
    if (isLocked || !/^\d/.test(version)) continue
    const words = (name.split('/').pop() ?? '').split('-')
    const libc = words.some((word) => word.endsWith('musl')) && { libc: ['musl'] }
    const place = { os: named(OS, words), cpu: named(CPU, words), ...libc }
    const entry = { version, optional: true, ...(dev && { dev }), ...place }
    packages.set(`node_modules/${name}`, entry)
  }
}

lock.packages = Object.fromEntries([...packages].sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(at('package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`)
process.stdout.write(`${packages.size - before} entries added\n`)
