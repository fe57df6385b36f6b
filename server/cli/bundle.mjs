// Bundles our processes into dist/, one file each. Packages stay outside; `server-only` becomes nothing.
import { existsSync, rmSync } from 'node:fs'
import * as esbuild from 'esbuild'
import { at } from './setup/root.mjs'

const ENTRIES = {
  web: 'server/cli/web.ts',
  worker: 'server/cli/worker.ts',
  'isolated-step': 'server/cli/isolated-step.ts',
  sandbox: 'server/sandbox/server.ts',
  'pod-thread': 'server/agent/tools/pod/pod-thread.ts',
  'pdf-thread': 'server/tools/web/pdf-thread.ts',
  'query-thread': 'server/agent/tools/data/query-thread.ts',
  admin: 'server/cli/admin.ts',
  bench: 'server/cli/bench.ts',
  migrate: 'server/cli/migrate.ts',
  migration: 'server/cli/migration.ts',
  launch: 'server/cli/launch.ts',
  leash: 'server/cli/leash.ts',
  quickstart: 'server/cli/quickstart-run.ts',
}

const entryPoints = Object.fromEntries(Object.entries(ENTRIES).filter(([, file]) => existsSync(at(file))))

rmSync(at('dist'), { recursive: true, force: true })
const bundled = esbuild.build({
  absWorkingDir: at(),
  entryPoints,
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  packages: 'external',
  alias: { 'server-only': at('server/cli/empty.ts') },
  sourcemap: true,
  logLevel: 'warning',
})
// What is wrong is printed already.
await bundled.catch(() => process.exit(1))
