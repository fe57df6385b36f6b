import { setTimeout as sleep } from 'node:timers/promises'
import { CliError, dataPath, displayPath } from './kit/project'

/** Waits until a URL answers with success. Throws a CliError after `patienceMs`. */
export async function waitUntilServerReady(url: string, patienceMs = 90_000): Promise<void> {
  const until = Date.now() + patienceMs
  while (!(await isFine(url))) {
    if (Date.now() > until)
      throw new CliError(`Nothing answers at ${url}; the logs are in ${displayPath(dataPath('logs'))}`)
    await sleep(50)
  }
}

async function isFine(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(5_000) })).ok
  } catch {
    return false
  }
}
