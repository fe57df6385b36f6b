import { KINDS_OF, type TextKind } from '../prose/phrasebook'
import type { Edition } from '../prose/voices'

/** All that a generated page is made of; it is in its address. */
export type PageAddress = {
  /** Such as `lantern-review.example`, or its edition `de-at.lantern-review.example`. */
  host: string
  kind: TextKind
  /** What the page is about, as `topicOf` takes it. */
  text: string
}

const KINDS: ReadonlySet<string> = new Set(Object.values(KINDS_OF).flat())
const isKind = (text: string): text is TextKind => KINDS.has(text)

/** `/site/<host>/<kind>/<slug>`; a hyphen of the text is written twice. */
export const pagePath = ({ host, kind, text }: PageAddress): string =>
  `/site/${host}/${kind}/${encodeURIComponent(text.replaceAll('-', '--').replaceAll(' ', '-'))}`

/** The page at a path below /site/, or null. */
export function readPagePath(path: string): PageAddress | null {
  const [host = '', kind = '', slug = '', ...more] = path.split('/')
  if (!isHost(host) || !isKind(kind) || slug === '' || more.length > 0) return null
  try {
    const text = decodeURIComponent(slug).replace(/--|-/g, (hyphen) => (hyphen === '-' ? ' ' : '-'))
    return text.trim() === '' || text.length > MAX_TEXT ? null : { host, kind, text }
  } catch {
    return null
  }
}

const MAX_TEXT = 400

/** A name with a dot, as in `site:` queries. */
export const isHost = (text: string): boolean => /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){1,4}$/.test(text)

/** The edition in a host's first label: `de-at.` or `de.`. */
export function editionOf(host: string): Edition {
  const [, language = '', country = ''] = /^([a-z]{2})(?:-([a-z]{2}))?\./.exec(host) ?? []
  return { language, country }
}
