import { type CodeShare, codeReader, pushNumber, pushShare, pushText } from '../ids/text-code'
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
const OTHER_LANGS = ['es', 'pt', 'fr', 'de', 'it'] as const
export const LANGS = [
  { lang: 'en' as const, from: 0, size: 11 },
  ...OTHER_LANGS.map((lang, i) => ({ lang, from: 11 + i, size: 1 })),
]
const LANG_TOTAL = 16

const within = (id: bigint): string | null => (id >= FIRST && id <= LAST ? String(id) : null)

/** The id of an account, which holds its name; null for a name that is too long for that. */
export const writeXUserId = (handle: string): string | null =>
  within(FIRST + pushText(0n, handle.toLowerCase(), 'name'))

/** The name of the account with an id; those that the sandbox did not write have one, too. */
export function readXUserId(id: string): string {
  const number = BigInt(id)
  const name = within(number) ? codeReader(number - FIRST).text('name') : ''
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
  const code = codeReader(number - FIRST)
  const reply = code.number(REPLY_RADIX)
  const form = FORMS[code.number(FORMS.length)]
  const { lang } = code.share(LANGS, LANG_TOTAL)
  const handle = form === 'topic' ? '' : code.text('name')
  const topic = form === 'handle' ? '' : code.text('phrase')
  return { handle, topic, lang, n: Number(code.rest()), reply }
}
