/**
 * Where a value is from that a run did not have before: text that strangers wrote, or the owner's
 * data. What the goal says and what a conversation made adds nothing and has no name here.
 */
export type Origin = 'foreign' | 'private'

/** All that a call may have read whose result cannot be read. */
export const ANY_ORIGIN: readonly Origin[] = ['foreign', 'private']

/** What a call gives to somebody outside: shown to a person before it is sent. */
export type Outgoing = {
  /** Who gets it: a host, a site, an actor. A person is asked once for each in a run. */
  to: string
  /** One sentence: what would be done, and what goes where. */
  summary: string
  /** All of it, where the summary is truncated. */
  whole?: string
  /** The address that would be opened. Some addresses carry nothing, whatever a run has read. */
  url?: string
  /** Everything else that would be sent. */
  texts: readonly string[]
  /** Where it is from, besides what the run has read before. */
  carries?: readonly Origin[]
}

/**
 * A run, and all runs of its conversation so far, itself included; and what people attached to
 * their goals, each with the time of its goal.
 */
export type RunIds = {
  id: string
  conversation: readonly string[]
  uploads?: readonly { fileId: string; name: string; bytes: number; at: Date }[]
}

/** The agent run for which a tool says what a call would do. */
export type AgentCaller = {
  ownerId: number
  jobId: string
  run: RunIds
  /** The result of an earlier step. Throws `invalid_request` for a step without a result. */
  earlierOutput?: (step: number) => unknown
}

type PromiseOr<T> = T | Promise<T>

/**
 * Where the input of a call goes.
 * `inside`: it stays with the owner, in this installation or in a database of theirs. `provider`:
 * to the provider that the operator configured for this tool. The others go to somebody whom nobody
 * chose beforehand: the host of a URL, all who have a link, all readers of a site, an actor's
 * author. `outgoing` returns null for a call that sends nothing.
 */
type Sink<I = never> =
  | { kind: 'inside' }
  | { kind: 'provider' }
  | { kind: 'url'; outgoing: (input: I) => Outgoing | null }
  | { kind: 'link' | 'site' | 'actor'; outgoing: (input: I, caller: AgentCaller) => PromiseOr<Outgoing | null> }

/**
 * URLs in a result that carry nothing when they are opened as they are. `page`: only those on this
 * page's own host count; without it, a search index returned them, which nobody fills for one
 * reader.
 */
type OfferedUrls = { page?: string; texts: readonly string[] }

/** What a tool reads and where its input goes. Whether a person is asked follows from it. */
export type Flow<I = never, O = never> = {
  /** Where the values of a result are from. */
  reads: readonly Origin[] | ((result: O) => readonly Origin[])
  /** Where those in the error of a failed call are from, if not everything `reads` can say. */
  failedReads?: readonly Origin[]
  sink: Sink<I>
  offers?: (result: O) => OfferedUrls
}

/** Reads what strangers wrote, through a provider that the operator configured. */
export const READS_FOREIGN_TEXT: Flow<unknown, unknown> = { reads: ['foreign'], sink: { kind: 'provider' } }

/** Works on what the conversation made, which adds nothing to what its run has read. */
export const STAYS_INSIDE: Flow<unknown, unknown> = { reads: [], sink: { kind: 'inside' } }

/** Makes something with a provider that the operator configured. */
export const ASKS_PROVIDER: Flow<unknown, unknown> = { reads: [], sink: { kind: 'provider' } }

const MAX_SHOWN_CHARS = 1_000

/**
 * A text as a person is shown it: truncated where it is long, with the number of characters left
 * out.
 */
export const truncateForDisplay = (text: string): string =>
  text.length <= MAX_SHOWN_CHARS
    ? text
    : `${text.slice(0, MAX_SHOWN_CHARS).toWellFormed()}… (${text.length - MAX_SHOWN_CHARS} more characters)`

/** Opening a URL. `besides`: what else of the input the page's server can see. */
export function opensUrl(url: string, besides: Record<string, unknown> = {}): Outgoing {
  const host = URL.canParse(url) ? new URL(url).host : 'an unknown host'
  // JSON leaves out what is undefined.
  const given = JSON.stringify(besides)
  const more = given === '{}' ? '' : `, with ${given}`
  return {
    to: host,
    summary: `Open ${url}${more}. Whoever runs ${host} sees all of this.`,
    url,
    texts: more === '' ? [] : [given],
  }
}
