/**
 * What a call gives to an outsider: shown to a person before it is sent, and compared with what
 * that person wrote.
 */
export type Outgoing = {
  /** One sentence: what would be done, and what goes where. */
  summary: string
  /** All of it, where the summary is truncated. */
  whole?: string
  /** Addresses that would be opened. */
  urls: readonly string[]
  /**
   * Everything else that would be sent, in few pieces whatever the input is: many single words can
   * each be verbatim in a goal, and in a chosen order still say anything.
   */
  texts: readonly string[]
}

/**
 * What a tool reads and sends out. A run that has read both untrusted text and private data asks a
 * person before it sends anything out, whatever its model says. A function decides by the input or
 * the result of a call.
 */
export type Exposure<I = never, O = never> = {
  /** A result contains text that strangers wrote: pages, posts, names of coins. */
  untrusted: boolean | ((result: O) => boolean)
  /**
   * A result contains the owner's data. `made`: datasets that this conversation made from untrusted
   * text.
   */
  private: boolean | ((result: O, made: ReadonlySet<string>) => boolean)
  /**
   * What a call gives to somebody whom the owner did not choose: the host of a URL, everybody who
   * can open a site, an actor's author. null: nothing is sent, or only to the provider that the
   * operator configured for this tool.
   */
  sends: null | ((input: I) => Outgoing | null)
}

/** Reads what strangers wrote, through a provider that the operator configured. */
export const READS_UNTRUSTED_TEXT: Exposure<unknown, unknown> = { untrusted: true, private: false, sends: null }

/** Reads nothing, and its input stays here or with the provider that the operator configured. */
export const READS_NOTHING: Exposure<unknown, unknown> = { untrusted: false, private: false, sends: null }

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
    summary: `Open ${url}${more}. Whoever runs ${host} sees all of this.`,
    urls: [url],
    texts: more === '' ? [] : [given],
  }
}
