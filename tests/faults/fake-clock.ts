import { chmodSync, globSync, rmSync, writeFileSync } from 'node:fs'

/** The clock of processes that are started with it. */
export type FakeClock = {
  /** False where libfaketime is not installed: then steps do nothing. */
  canStep: boolean
  /** Starts something whose clock this is to be. */
  during: <T>(start: () => Promise<T>) => Promise<T>
  /** Sets it so many seconds off; 0: as it is. */
  step: (seconds: number) => void
  close: () => void
}

/** Debian's package `libfaketime`. */
const [LIBRARY] = globSync('/usr/lib/*/faketime/libfaketime.so.1')

/** A clock that a file sets. Without libfaketime it cannot be set. */
export function openFakeClock(file: string): FakeClock {
  const step = (seconds: number) => {
    if (LIBRARY) writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}`)
  }
  step(0)
  if (LIBRARY) chmodSync(file, 0o644)
  const settings = {
    LD_PRELOAD: LIBRARY,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  return {
    canStep: LIBRARY !== undefined,
    during: async (start) => {
      if (LIBRARY) Object.assign(process.env, settings)
      try {
        return await start()
      } finally {
        for (const name of Object.keys(settings)) delete process.env[name]
      }
    },
    step,
    close: () => rmSync(file, { force: true }),
  }
}
