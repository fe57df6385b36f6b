// Bundles our processes into dist/, one file each. Packages stay outside.
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import * as esbuild from 'esbuild'
import { BUNDLE, THREADS } from './bundle-threads.mjs'
import { at } from './setup/root.mjs'

const ENTRIES = {
  web: 'server/cli/web.ts',
  worker: 'server/cli/worker.ts',
  'isolated-step': 'server/cli/isolated-step.ts',
  sandbox: 'server/sandbox/server.ts',
  ...THREADS,
  admin: 'server/cli/admin.ts',
  migrate: 'server/cli/migrate.ts',
  migration: 'server/cli/migration.ts',
  launch: 'server/cli/launch.ts',
  'parent-watchdog': 'server/cli/parent-watchdog.ts',
  quickstart: 'server/cli/quickstart-run.ts',
}

const entryPoints = Object.fromEntries(Object.entries(ENTRIES).filter(([, file]) => existsSync(at(file))))

const outdir = at('dist', `.bundle-${process.pid}`)
const bundled = esbuild.build({
  ...BUNDLE,
  entryPoints,
  outdir,
  splitting: true,
  chunkNames: 'part-[hash]',
  sourcemap: true,
})
// What is wrong is printed already.
await bundled.catch(() => {
  rmSync(outdir, { recursive: true, force: true })
  process.exit(1)
})

// Running tests start threads from dist/: each file is replaced at once, and old files go last.
const made = readdirSync(outdir)
for (const name of made) renameSync(path.join(outdir, name), at('dist', name))
const isOld = (name) => !made.includes(name) && !name.startsWith('.threads-')
for (const name of readdirSync(at('dist')).filter(isOld)) rmSync(at('dist', name), { recursive: true, force: true })
