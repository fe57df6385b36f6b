import vm from 'node:vm'

const WORK = Symbol.for('tollgate.within')

/**
 * Runs synchronous work for at most `timeoutMs` and returns what it returns. A loop that goes on is stopped where it
 * stands, with an error whose code is ERR_SCRIPT_EXECUTION_TIMEOUT: nothing the work changes may outlive it.
 */
export function within<T>(timeoutMs: number, work: () => T): T {
  const store = globalThis as unknown as Record<symbol, unknown>
  store[WORK] = work
  try {
    return new vm.Script("globalThis[Symbol.for('tollgate.within')]()").runInThisContext({ timeout: timeoutMs })
  } finally {
    delete store[WORK]
  }
}
