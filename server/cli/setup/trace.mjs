import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
// Next's copy of the tracer behind its own standalone output.
import nft from 'next/dist/compiled/@vercel/nft/index.js'
import { at } from './root.mjs'

/** What a packed folder starts; `migration`, `bench` and `quickstart` need the sources. */
const ENTRIES = ['web', 'worker', 'isolated-step', 'admin', 'migrate', 'launch', 'parent-watchdog']

/** Read by name at run time, which no tracer sees. */
const READ_BY_NAME = [
  'node_modules/@prisma/schema-engine-wasm/schema_engine_bg.wasm',
  'node_modules/libpg-query/wasm/libpg-query.wasm',
  'node_modules/sql.js/dist/sql-wasm.wasm',
]

/**
 * What is loaded only while developing or building, or in ways that are switched off: Next's
 * compiler and development server, image resizing, types. A leak of one costs space; a file that is
 * missing shows in tests/production.
 */
const NOT_AT_RUN_TIME = [
  '**/*.map',
  '**/*.d.ts',
  '**/*.development.js',
  'node_modules/{typescript,@typescript,caniuse-lite,postcss,playwright}/**',
  'node_modules/{@electric-sql,pglite-prisma-adapter,@next/swc-*}/**',
  'node_modules/next/dist/{bundle-analyzer,docs,esm,next-devtools}/**',
  'node_modules/next/dist/compiled/next-server/*.dev.js',
  'node_modules/next/dist/compiled/{babel,babel-packages,next-devtools,terser,webpack}/**',
  'node_modules/next/dist/compiled/@vercel/{nft,og}/**',
  'node_modules/next/dist/compiled/{react-dom-experimental,react-experimental}/**',
  'node_modules/next/dist/compiled/react-server-dom-{webpack,webpack-experimental,turbopack-experimental}/**',
]

/** The simulated providers, and what they draw with; Next's resizing of images is off. */
const SIMULATION = ['dist/sandbox.js', 'node_modules/{sharp,@img}/**']

/**
 * The files of node_modules, `dist/` and `server/cli` that our processes load, as paths from the
 * root; those of the simulated providers where they are asked for. The build must be there.
 * @param {{ withSandbox: boolean }} options
 */
export async function tracedFiles({ withSandbox }) {
  const ignored = withSandbox ? NOT_AT_RUN_TIME : [...NOT_AT_RUN_TIME, ...SIMULATION]
  const threads = readdirSync(at('dist')).filter((name) => name.endsWith('-thread.js'))
  const names = withSandbox ? [...ENTRIES, 'sandbox'] : ENTRIES
  const entries = [...names.map((name) => `${name}.js`), ...threads].map((name) => at('dist', name))
  const { fileList } = await nft.nodeFileTrace([...entries, at('server/cli/run.mjs')], {
    base: at(),
    processCwd: at(),
    ignore: ignored,
  })
  const isWanted = (/** @type {string} */ file) => !ignored.some((pattern) => path.matchesGlob(file, pattern))
  const files = new Set([...fileList, ...filesOfNext().filter(isWanted), ...READ_BY_NAME])
  return [...files].filter((file) => statSync(at(file)).isFile()).sort()
}

/** What Next itself traced for its server while it built the pages. */
function filesOfNext() {
  /** @type {{ files: string[] }} */
  const { files } = JSON.parse(readFileSync(at('.next/next-server.js.nft.json'), 'utf8'))
  return files.map((file) => path.relative(at(), at('.next', file)))
}
