import { rmSync } from 'node:fs'
import { recordBuild } from './build-record.mjs'
import { isFresh, remember } from './fingerprint.mjs'
import { at, NODE, ourEnv } from './root.mjs'
import { run, step } from './steps.mjs'

const SHARED = ['server', 'prisma/schema.prisma', 'package-lock.json', 'tsconfig.json']
const PAGES = [...SHARED, 'app', 'components', 'public', 'next.config.ts', 'postcss.config.mjs']
const PAGES_STAMP = '.next/made-from'
const ENTRIES_STAMP = 'dist/made-from'

/** True when `dist/` was made from what the sources say now. */
export const hasFreshEntries = () => isFresh(ENTRIES_STAMP, SHARED)

const env = () => ({ ...ourEnv(), NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' })

/** Makes `dist/` (our processes) when its sources changed, or when `force`d. */
export async function buildEntries({ force = false, shown = false } = {}) {
  if (force || !hasFreshEntries()) {
    const bundle = () => run(NODE, [at('server/cli/bundle.mjs')], { env: env(), shown, cwd: at() })
    await step('Bundling the processes', bundle)
    remember(ENTRIES_STAMP, SHARED)
  }
  recordBuild([ENTRIES_STAMP, PAGES_STAMP])
}

/**
 * Makes `.next/` (pages) and `dist/` (our processes), each only when its sources changed, unless
 * `force`d.
 */
export async function build({ force = false, shown = false } = {}) {
  await buildEntries({ force, shown })
  if (force || !isFresh(PAGES_STAMP, PAGES)) {
    // A build that is stopped half-way must not pass for the one before it.
    rmSync(at(PAGES_STAMP), { force: true })
    const next = at('node_modules/next/dist/bin/next')
    const options = { env: env(), shown, cwd: at() }
    await step('Building the pages', () => run(NODE, [next, 'build'], options))
    await step('Bundling the islands', () => run(NODE, [at('server/cli/bundle-islands.mjs')], options))
    await step('Compressing scripts and styles', () => run(NODE, [at('server/cli/precompress.mjs')], options))
    remember(PAGES_STAMP, PAGES)
    recordBuild([ENTRIES_STAMP, PAGES_STAMP])
  }
}
