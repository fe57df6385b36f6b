import { takePort } from '../support/ports'

/** The port in a variable, or a free one, which workers and server then find in the variable. */
async function portOf(variable: string): Promise<number> {
  process.env[variable] ??= String(await takePort())
  return Number(process.env[variable])
}

/** Where the end-to-end tests find the service and its sandbox. The runner chooses them first. */
export const E2E_PORT = await portOf('E2E_PORT')
export const E2E_SANDBOX_PORT = await portOf('E2E_SANDBOX_PORT')
export const E2E_ACCOUNTS_PORT = await portOf('E2E_ACCOUNTS_PORT')
export const E2E_ISSUER_PORT = await portOf('E2E_ISSUER_PORT')
export const E2E_ISSUER_URL = `http://127.0.0.1:${E2E_ISSUER_PORT}`
export const E2E_URL = `http://127.0.0.1:${E2E_PORT}`
