import { defineConfig } from '@playwright/test'
import { findChromiumPath } from './server/tools/web/find-chromium'
import { E2E_URL } from './tests/e2e/address'

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  reporter: [['line'], ['./tests/e2e/log-reporter.ts']],
  // The tests of a file too: those that take long are many in some.
  fullyParallel: true,
  workers: 3,
  // Bounds for a hang: a busy machine is slow.
  timeout: 360_000,
  expect: { timeout: 60_000 },
  forbidOnly: true,
  use: {
    baseURL: E2E_URL,
    // Without screenshots of every action, which take a quarter of the time, and copies of the
    // page, which take a tenth: one screenshot and the page's outline show where a test failed.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: findChromiumPath(process.env.CHROMIUM_PATH) ?? undefined,
      args: ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
    },
  },
  webServer: {
    // By its path: the runner may be started without the project's tools in PATH.
    command: `"${process.execPath}" --import tsx tests/e2e/serve.ts`,
    url: `${E2E_URL}/readyz`,
    env: { E2E_RUNNER: String(process.pid) },
    reuseExistingServer: false,
    timeout: 120_000,
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
  },
})
