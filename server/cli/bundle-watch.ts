import { mkdirSync, watch, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as esbuild from 'esbuild'
import { BUNDLE, THREADS } from './bundle-threads.mjs'
import { PROJECT_ROOT } from './kit/project'

const ENTRIES = {
  web: 'server/cli/dev-web.ts',
  'web-server': 'server/cli/web/start-web-server.ts',
  worker: 'server/cli/worker.ts',
  'isolated-step': 'server/cli/isolated-step.ts',
  sandbox: 'server/sandbox/server.ts',
  ...THREADS,
}

/** Editors write a file in several steps. */
const SETTLE_MS = 30

/** The file that an entry is bundled into in development. */
export const developmentBundle = (entry: keyof typeof ENTRIES): string =>
  path.join(PROJECT_ROOT, 'dist', 'dev', `${entry}.js`)

/**
 * Bundles the processes of `npm run dev`, and again whenever a file below server/ changes.
 * `onChange` gets the names of the bundles that differ from those before; nothing is written when
 * the source has an error, which is printed.
 */
export async function watchBundles(onChange: (entries: ReadonlySet<string>) => void): Promise<() => Promise<void>> {
  const outdir = path.join(PROJECT_ROOT, 'dist', 'dev')
  mkdirSync(outdir, { recursive: true })
  const context = await esbuild.context({
    ...BUNDLE,
    entryPoints: ENTRIES,
    outdir,
    sourcemap: 'inline',
    sourcesContent: false,
    write: false,
  })
  const hashes = new Map<string, string>()
  const rebuild = async () => {
    const { outputFiles = [] } = await context.rebuild()
    const changed = outputFiles.filter((file) => hashes.get(file.path) !== file.hash)
    for (const file of changed) {
      writeFileSync(file.path, file.contents)
      hashes.set(file.path, file.hash)
    }
    return new Set(changed.map((file) => path.parse(file.path).name))
  }
  await rebuild()

  let isRunning = false
  let timer: NodeJS.Timeout | undefined
  const run = async () => {
    if (isRunning) return schedule()
    isRunning = true
    // What is wrong with the source is printed by esbuild.
    const changed = await rebuild().catch(() => new Set<string>())
    isRunning = false
    if (changed.size > 0) onChange(changed)
  }
  const schedule = () => {
    clearTimeout(timer)
    timer = setTimeout(run, SETTLE_MS)
  }
  const watcher = watch(path.join(PROJECT_ROOT, 'server'), { recursive: true }, (_event, file) => {
    if (file && !/\.test\.ts$|~$|^\.|[/\\]\./.test(file)) schedule()
  })
  return async () => {
    watcher.close()
    clearTimeout(timer)
    await context.dispose()
  }
}
