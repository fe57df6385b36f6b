import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { LongFirst } from './tests/support/long-first'

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/** Settings of every test process. No file of the project `pure` reaches a database. */
const env = {
  DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none',
  AUTH_SECRET: 'a-secret-for-tests-only-0123456789',
  ENCRYPTION_KEY: '00'.repeat(32),
  UPSTREAMS: 'sandbox',
  SANDBOX_URL: 'http://127.0.0.1:1',
  // The same on every machine. Tests of the machine's own set it.
  SHELL_PYTHON: 'portable',
  // Many tests leave holds of one owner open: the ones about this limit set it.
  OWNER_CONCURRENCY: '100000',
  // A third of what the start of a web process takes. Those that browsers use warm up.
  WARM_UP: '0',
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'error',
}

const FOLDERS = '{server,components,tests}/**'

export default defineConfig({
  resolve: {
    alias: { '@': here('.') },
  },
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    // Most tests wait for others most of the time: more workers than cores.
    maxWorkers: 4,
    sequence: { sequencer: LongFirst },
    env,
    // Bounds for what hangs: no machine is so slow.
    hookTimeout: 600_000,
    testTimeout: 600_000,
    expect: { poll: { timeout: 150_000 } },
    projects: [
      {
        // No database, no process.
        extends: true,
        test: {
          name: 'pure',
          include: [`${FOLDERS}/*.test.{ts,tsx}`],
          exclude: [...configDefaults.exclude, '**/*.{db,process,client}.test.ts'],
          pool: 'threads',
          isolate: false,
          setupFiles: ['tests/support/fresh-modules.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      {
        // A database each, and servers inside the test process.
        extends: true,
        test: {
          name: 'database',
          include: [`${FOLDERS}/*.db.test.ts`],
          // These look into tables right after an answer. Those about the moment between set it.
          env: { DURABLE_ANSWERS: '1' },
          pool: 'forks',
          isolate: false,
          setupFiles: ['tests/support/fresh-modules.ts', 'tests/support/file-database.ts'],
          sequence: { groupOrder: 2 },
        },
      },
      {
        // A database each, and processes of the production build.
        extends: true,
        test: {
          name: 'processes',
          include: [`${FOLDERS}/*.process.test.ts`],
          pool: 'forks',
          setupFiles: ['tests/support/fresh-modules.ts', 'tests/support/file-database.ts'],
          sequence: { groupOrder: 3 },
        },
      },
      {
        // Programs that people use, as they come from npm; `npm run test:clients` alone runs these.
        extends: true,
        test: {
          name: 'clients',
          include: ['tests/clients/*.client.test.ts'],
          pool: 'forks',
          setupFiles: ['tests/support/fresh-modules.ts', 'tests/support/file-database.ts'],
          testTimeout: 150_000,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
