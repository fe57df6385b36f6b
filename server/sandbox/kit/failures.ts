import tables from './failures.json'
import { beSlow } from './slow'

type Failure = { status?: number; json?: unknown; text?: string; headers?: Record<string, string> }

const HTML = { 'content-type': 'text/html; charset=UTF-8' }

/**
 * The failure of a provider that a word of a request asks for, by the data file; its `*` has the
 * headers of all of them. Null: none is asked for, which `slow` says after 5 s.
 */
export async function provokedFailure(
  provider: keyof typeof tables,
  word: string | undefined,
): Promise<Response | null> {
  if (word === 'slow') await beSlow()
  const known: Record<string, Failure> = tables[provider]
  const failure = word === undefined || word === '*' || !Object.hasOwn(known, word) ? undefined : known[word]
  if (!failure) return null
  const { status = 200, json, text = '', headers } = failure
  const all = { ...(json === undefined && text.startsWith('<') && HTML), ...known['*']?.headers, ...headers }
  return json === undefined
    ? new Response(text, { status, headers: all })
    : Response.json(json, { status, headers: all })
}
