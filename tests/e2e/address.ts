/**
 * The ports of the service and its sandbox in end-to-end tests: fixed, and not those of quickstart.
 */
export const E2E_PORT = 3417
export const E2E_SANDBOX_PORT = 4417
export const E2E_URL = `http://127.0.0.1:${E2E_PORT}`
