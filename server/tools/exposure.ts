/** What a call gives to somebody outside: told to a person before it may leave, and compared with what that person wrote. */
export type Outgoing = {
  /** One sentence: what would be done, and what goes where. */
  summary: string
  /** All of it, where the summary is cut. */
  whole?: string
  /** Addresses that would be opened. */
  urls: readonly string[]
  /**
   * All else that would leave, however small, in few pieces whatever the input is: a choice of many words from a goal, in
   * an order of its own, would be verbatim word by word and could still say anything.
   */
  texts: readonly string[]
}

/**
 * Where a tool stands between text of strangers, the owner's data and the outside. A run that has read both asks a
 * person before it sends anything out, whatever its model says. A function decides by what a call was given or brought.
 */
export type Exposure<I = never, O = never> = {
  /** A result holds text that strangers wrote: pages, posts, names of coins. */
  foreign: boolean | ((result: O) => boolean)
  /** A result holds data of the owner's. `made`: datasets this conversation made from what strangers wrote. */
  private: boolean | ((result: O, made: ReadonlySet<string>) => boolean)
  /**
   * What a call would give to somebody whom the owner did not choose: the host of a URL, everybody who can open a site,
   * an actor's author. null: nothing leaves, or only to the provider that the operator set up for this tool.
   */
  sends: null | ((input: I) => Outgoing | null)
}

/** Reads what strangers wrote, through a provider that the operator set up. */
export const READS_UNTRUSTED_TEXT: Exposure<unknown, unknown> = { foreign: true, private: false, sends: null }

/** Reads nothing, and what it is given stays here or with the provider that the operator set up. */
export const READS_NOTHING: Exposure<unknown, unknown> = { foreign: false, private: false, sends: null }

const MAX_SHOWN = 1_000

/** A text as a person is shown it: cut where it is long, saying so. */
export const truncateForDisplay = (text: string): string =>
  text.length <= MAX_SHOWN
    ? text
    : `${text.slice(0, MAX_SHOWN).toWellFormed()}… (${text.length - MAX_SHOWN} more characters)`

/** Opening a URL. `besides`: what else of the input the page's server can see. */
export function opensUrl(url: string, besides: Record<string, unknown> = {}): Outgoing {
  const host = URL.canParse(url) ? new URL(url).host : 'no known host'
  // What is undefined is not in it.
  const given = JSON.stringify(besides)
  const more = given === '{}' ? '' : `, with ${given}`
  return {
    summary: `Open ${url}${more}. Whoever runs ${host} sees all of this.`,
    urls: [url],
    texts: more === '' ? [] : [given],
  }
}
