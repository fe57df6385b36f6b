import { setTimeout as sleep } from 'node:timers/promises'
import tables from './failures.json'

const SLOW_MS = 5_000

let hurry = new AbortController()

/** Takes the 5 s of a slow provider, or until `hurrySlow`. */
export const beSlow = (): Promise<void> => sleep(SLOW_MS, undefined, { signal: hurry.signal }).catch(() => {})

/** Ends the waits of slow providers, and those to come, until `resetSlow`. */
export const hurrySlow = (): void => hurry.abort()

export function resetSlow(): void {
  hurry = new AbortController()
}

type Failure = { status?: number; json?: unknown; text?: string; headers?: Record<string, string> }
type Provider = keyof typeof tables

const HTML = { 'content-type': 'text/html; charset=UTF-8' }

const failuresOf = (provider: Provider): Record<string, Failure> => tables[provider]

/** The headers of all failures of a provider, under `*` in the data file. */
export const failureHeaders = (provider: Provider): Record<string, string> => failuresOf(provider)['*']?.headers ?? {}

/** The failure that a word of a request asks for; null: none, which `slow` says after 5 s. */
export async function provokedFailure(provider: Provider, word = '*'): Promise<Response | null> {
  if (word === 'slow') await beSlow()
  const known = failuresOf(provider)
  const failure = word === '*' || !Object.hasOwn(known, word) ? undefined : known[word]
  if (!failure) return null
  const { status = 200, json, text = '', headers } = failure
  const all = { ...(json === undefined && text.startsWith('<') && HTML), ...failureHeaders(provider), ...headers }
  return json === undefined
    ? new Response(text, { status, headers: all })
    : Response.json(json, { status, headers: all })
}
