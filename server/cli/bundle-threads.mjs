// The entries of worker threads. They run as bundles always, because a thread that starts from
// source would need a loader of its own: `npm run build` makes them with the processes, tests and
// `npm run dev` by themselves.
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import * as esbuild from 'esbuild'
import { packagesOutside } from './setup/packages.mjs'
import { at } from './setup/root.mjs'

export const THREADS = {
  'page-thread': 'server/tools/web/page-thread.ts',
  'pdf-thread': 'server/tools/web/pdf-thread.ts',
  'sql-thread': 'server/agent-tools/data/sql-thread.ts',
  'schema-thread': 'server/agent/structured/schema-thread.ts',
  'dataset-thread': 'server/agent-tools/data/dataset-thread.ts',
  'body-thread': 'server/http/body-thread.ts',
  'token-thread': 'server/models/token-thread.ts',
  'pod-thread': 'server/agent-tools/pod/pod-thread.ts',
  'watchdog-thread': 'server/cli/watchdog/watchdog-thread.ts',
}

/** Where tRPC spreads an object as it is published, for runtimes that have no `...`. */
const COMPILED_SPREAD = { begin: 'function _objectSpread2(e) {\n', end: '\n\treturn e;\n}\n' }

/**
 * tRPC spreads four objects a middleware, property by property; Node has an operator for it, which
 * saves a twentieth of what a call takes. Fails where tRPC is published differently.
 * @type {esbuild.Plugin}
 */
const fasterSpread = {
  name: 'faster-spread',
  setup({ onLoad }) {
    onLoad({ filter: /@trpc\/server\/dist\/getErrorShape-[^/]+\.mjs$/ }, ({ path: file }) => {
      const source = readFileSync(file, 'utf8')
      const [before, after = ''] = source.split(COMPILED_SPREAD.begin)
      const end = after.indexOf(COMPILED_SPREAD.end)
      if (end < 0) throw new Error(`${file} spreads objects in another way than was known.`)
      const ours = 'function _objectSpread2(e, ...r) { return Object.assign(e, ...r); }\n'
      return { contents: before + ours + after.slice(end + COMPILED_SPREAD.end.length) }
    })
  },
}

/**
 * How everything is bundled: packages stay outside, but those that only a build needs.
 * @type {esbuild.BuildOptions}
 */
export const BUNDLE = {
  absWorkingDir: at(),
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  external: packagesOutside(),
  plugins: [fasterSpread],
  // Packages in CommonJS ask for Node's modules by it.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  logLevel: 'warning',
}

/**
 * Bundles the thread entries alone into `dist/`. Other processes may read or make them at the same
 * time.
 */
export async function bundleThreads() {
  const outdir = at('dist', `.threads-${process.pid}`)
  mkdirSync(outdir, { recursive: true })
  try {
    await esbuild.build({ ...BUNDLE, entryPoints: THREADS, outdir })
    for (const name of Object.keys(THREADS)) renameSync(path.join(outdir, `${name}.js`), at('dist', `${name}.js`))
  } finally {
    rmSync(outdir, { recursive: true, force: true })
  }
}
