import { readFileSync } from 'node:fs'
import { at } from './root.mjs'

/**
 * @typedef {Record<string, string>} Names
 * @typedef {{ dependencies: Names, devDependencies: Names, scripts: Names }} KnownFields
 * @typedef {KnownFields & Record<string, unknown>} Manifest
 */

/**
 * Development packages whose code `npm run build` copies into `dist/`. An installation without
 * development packages therefore runs without them; `sbom` and `notices` count them in.
 */
export const IN_PROCESSES = [
  '@opentelemetry/api',
  '@opentelemetry/core',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  '@prisma/adapter-pg',
  '@prisma/client',
  '@prisma/driver-adapter-utils',
]

/**
 * Packages with a copy in `dist/`, which others still need in node_modules: finding their hundreds
 * of files one by one is an eighth of what a command takes to start. `@trpc/server` is also faster.
 */
export const ALSO_IN_PROCESSES = [
  '@auth/core',
  '@hono/node-server',
  '@trpc/server',
  'eventsource-parser',
  'ipaddr.js',
  'lru-cache',
  'p-limit',
  'pg',
  'pino',
  'undici',
  'zod',
]

/** Development packages whose code `npm run build` copies into the pages and their scripts. */
export const IN_PAGES = [
  '@fontsource-variable/inter',
  '@simplewebauthn/browser',
  '@tanstack/react-query',
  '@trpc/client',
  '@trpc/tanstack-react-query',
  'class-variance-authority',
  'clsx',
  'd3-scale',
  'd3-shape',
  'idb-keyval',
  'lucide-react',
  'markdown-to-jsx',
  'minisearch',
  'preact',
  'tailwind-merge',
  'tailwindcss',
]

/** @returns {Manifest} */
export const manifest = () => JSON.parse(readFileSync(at('package.json'), 'utf8'))

/** The packages that our processes find in node_modules when they run: all but those in `dist/`. */
export function packagesOutside() {
  const { dependencies, devDependencies } = manifest()
  const inside = [...IN_PROCESSES, ...ALSO_IN_PROCESSES]
  return Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !inside.includes(name))
}
