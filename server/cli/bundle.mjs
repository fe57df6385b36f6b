// Bundles our processes into dist/, one file each. Packages stay outside.
import { existsSync, rmSync } from 'node:fs'
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
  bench: 'server/cli/bench.ts',
  migrate: 'server/cli/migrate.ts',
  migration: 'server/cli/migration.ts',
  launch: 'server/cli/launch.ts',
  'parent-watchdog': 'server/cli/parent-watchdog.ts',
  quickstart: 'server/cli/quickstart-run.ts',
}

const entryPoints = Object.fromEntries(Object.entries(ENTRIES).filter(([, file]) => existsSync(at(file))))

rmSync(at('dist'), { recursive: true, force: true })
const bundled = esbuild.build({ ...BUNDLE, entryPoints, outdir: 'dist', sourcemap: true })
// What is wrong is printed already.
await bundled.catch(() => process.exit(1))
