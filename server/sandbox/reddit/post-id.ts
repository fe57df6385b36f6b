import { codeReader, pushNumber, pushText } from '../ids/text-code'
import { drawFrom } from '../kit/seed'
import { anySubject } from '../social/communities'

/** Which post it is: the n-th of a community, a subject, both, or of links to a domain. */
export type PostKey = { community: string; topic: string; domain: string; n: number }

/** Real posts have shorter ids. */
const FIRST = 36n ** 8n
const LAST = 36n ** 13n
const FORMS = ['topic', 'community', 'domain'] as const

/** The id of a post, which holds all of its key; null when that does not fit. */
export function writePostId({ community, topic, domain, n }: PostKey): string | null {
  const form = domain ? 'domain' : community ? 'community' : 'topic'
  let code = BigInt(n)
  code = pushText(code, domain || topic, domain ? 'name' : 'phrase')
  if (form === 'community') code = pushText(code, community.toLowerCase(), 'name')
  const id = FIRST + pushNumber(code, FORMS.indexOf(form), FORMS.length)
  return id < LAST ? id.toString(36) : null
}

/** The key of any id; one that the sandbox did not write is of some post, too. */
export function readPostId(id: string): PostKey {
  const key = id.length > 8 ? decodeId(id) : null
  if (key) return key
  const seed = `post id ${id}`
  return { community: '', topic: anySubject(seed), domain: '', n: drawFrom(seed).int('n', 0, 99) }
}

function decodeId(id: string): PostKey | null {
  const number = [...id].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n)
  if (number < FIRST || number >= LAST) return null
  const code = codeReader(number - FIRST)
  const form = FORMS[code.number(FORMS.length)]
  const domain = form === 'domain' ? code.text('name') : ''
  const community = form === 'community' ? code.text('name') : ''
  const topic = form === 'domain' ? '' : code.text('phrase')
  return { community, topic, domain, n: Number(code.rest()) }
}
