import { type CodeShare, popNumber, popShare, popText, pushNumber, pushShare, pushText } from '../ids/text-code'
import { drawFrom } from '../kit/seed'
import { personOf } from '../prose/names'
import { anySubject } from '../social/communities'

/**
 * Which post it is: the n-th of an account, of a subject, or of both; `reply` counts the answers to
 * it, and is 0 for the post itself.
 */
export type XPostKey = { handle: string; topic: string; lang: XLang; n: number; reply: number }
export type XLang = (typeof LANGS)[number]['lang']

/** Real ids are smaller. */
const FIRST = 2_100_000_000_000_000_000n
const LAST = 9_999_999_999_999_999_999n

export const MAX_REPLIES = 60
const REPLY_RADIX = 64
const FORMS = ['handle', 'topic', 'both'] as const

/** The languages that accounts post in; most posts are English. */
export const LANGS = [
  { lang: 'en', from: 0, size: 11 },
  { lang: 'es', from: 11, size: 1 },
  { lang: 'pt', from: 12, size: 1 },
  { lang: 'fr', from: 13, size: 1 },
  { lang: 'de', from: 14, size: 1 },
  { lang: 'it', from: 15, size: 1 },
] as const
const LANG_TOTAL = 16

const within = (id: bigint): string | null => (id >= FIRST && id <= LAST ? String(id) : null)

/** The id of an account, which holds its name; null for a name that is too long for that. */
export const writeXUserId = (handle: string): string | null =>
  within(FIRST + pushText(0n, handle.toLowerCase(), 'name'))

/** The name of the account with an id; those that the sandbox did not write have one, too. */
export function readXUserId(id: string): string {
  const number = BigInt(id)
  const name = within(number) ? popText(number - FIRST, 'name').text : ''
  return /^\w{1,15}$/.test(name) ? name : personOf(`user id ${id}`).handle.slice(0, 15)
}

/** The id of a post, which holds its key; null when that does not fit. */
export function writeXPostId({ handle, topic, lang, n, reply }: XPostKey): string | null {
  const form = handle && topic ? 'both' : handle ? 'handle' : 'topic'
  let code = BigInt(n)
  if (topic) code = pushText(code, topic, 'phrase')
  if (handle) code = pushText(code, handle, 'name')
  code = pushShare(code, LANGS.find((one) => one.lang === lang) as CodeShare, LANG_TOTAL)
  return within(FIRST + pushNumber(pushNumber(code, FORMS.indexOf(form), FORMS.length), reply, REPLY_RADIX))
}

/** The key of any id. */
export function readXPostId(id: string): XPostKey {
  const number = BigInt(id)
  if (!within(number)) {
    const seed = `post id ${id}`
    return { handle: '', topic: anySubject(seed), lang: 'en', n: drawFrom(seed).int('n', 0, 99), reply: 0 }
  }
  const reply = popNumber(number - FIRST, REPLY_RADIX)
  const form = popNumber(reply.rest, FORMS.length)
  const lang = popShare(form.rest, LANGS, LANG_TOTAL)
  const none = { text: '', rest: lang.rest }
  const handle = FORMS[form.value] === 'topic' ? none : popText(lang.rest, 'name')
  const topic = FORMS[form.value] === 'handle' ? { text: '', rest: handle.rest } : popText(handle.rest, 'phrase')
  return { handle: handle.text, topic: topic.text, lang: lang.share.lang, n: Number(topic.rest), reply: reply.value }
}
