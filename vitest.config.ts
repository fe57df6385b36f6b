import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))

const shared = {
  resolve: {
    alias: { '@': here('.') },
  },
}

const settings = { environment: 'node' as const, pool: 'forks' as const, hookTimeout: 60_000 }

export default defineConfig({
  ...shared,
  test: {
    // Runs once, before the projects' workers are forked: they inherit the variables it sets.
    globalSetup: ['tests/support/global-setup.ts'],
    // By default one core is left idle; most tests wait for others most of the time.
    maxWorkers: '100%',
    projects: [
      {
        ...shared,
        test: {
          ...settings,
          name: 'unit',
          include: ['server/**/*.test.ts', 'components/**/*.test.{ts,tsx}'],
          testTimeout: 20_000,
        },
      },
      {
        ...shared,
        test: {
          ...settings,
          name: 'integration',
          include: ['tests/{contract,architecture,chaos,security}/**/*.test.ts'],
          // These start servers and count rows: one file at a time.
          fileParallelism: false,
          testTimeout: 60_000,
        },
      },
    ],
  },
})
