import { drawFrom } from '../kit/seed'
import { fillTemplate } from '../kit/template'
import { sentenceCase } from '../kit/text'
import { isoTime, timeOfAge } from '../kit/time'
import { anySubject } from '../social/communities'
import { displayNameOf, subjectWordsOf } from '../social/handles'
import organisations from './organisations.json'
import phrases from './phrases.json'
import { writeXUserId } from './post-id'
import shapes from './shapes.json'

/** Organisations that people look up: handle, name, thousands of followers, kind, subjects. */
const known = new Map(
  organisations
    .map((line) => line.split('|'))
    .map(([username = '', name = '', thousands = '', kind = '', subjects = '']) => [
      username.toLowerCase(),
      { username, name, followers: Number(thousands) * 1000, kind, subjects: subjects.split(', ') },
    ]),
)

/** Of what there is about an account only this is worked out for lists. */
export function xFiguresOf(handle: string) {
  const name = handle.toLowerCase()
  const draw = drawFrom(`x account ${name}`)
  const org = known.get(name)
  const followers = org
    ? org.followers + draw.int('followers', 1, 999)
    : Math.round(10 ** (1.2 + draw.chance('followers') ** 1.8 * 4))
  const kind = org?.kind ?? (draw.chance('verified') < 0.22 ? 'blue' : 'none')
  return { name, draw, org, followers, kind, hoursBetween: org ? 5 : 4 * 30 ** draw.chance('pace') }
}

/** What an account posts about. */
export function subjectsOfAccount(handle: string): readonly string[] {
  const org = known.get(handle.toLowerCase())
  if (org) return org.subjects
  const words = subjectWordsOf(handle)
  const others = [anySubject(`${handle} 1`), anySubject(`${handle} 2`)]
  return words.length > 0 ? [words.join(' '), words.join(' '), ...others] : others
}

/** As `data` or in `includes.users`; `full`: with user.fields. Null: no id holds the name. */
export function makeXUser(handle: string, { full, id }: { full: boolean; id?: string | undefined }) {
  const { name, draw, org, followers, kind, hoursBetween } = xFiguresOf(handle)
  const userId = id ?? writeXUserId(name)
  if (userId === null) return null
  const brief = { id: userId, name: escapeX(org?.name ?? displayNameOf(name)), username: org?.username ?? name }
  // Withheld and very old accounts come without numbers.
  if (!full || name === 'sandbox_bare') return brief
  const ageDays = Math.round(org ? 5000 + draw.int('age', 0, 900) : 90 * 55 ** draw.chance('age'))
  const short = `https://t.co/${name.slice(0, 8)}`
  const links = [{ start: 0, end: 1, url: short, expanded_url: `https://${name.replaceAll('_', '-')}.example/` }]
  const bio = bioOf(name, draw.int('bio', 0, 5))
  return fillTemplate<typeof brief>(shapes.user, {
    ...brief,
    short,
    kind,
    followers,
    created: isoTime(timeOfAge(ageDays * 1440 + draw.int('minute', 0, 1439))),
    bio: escapeX(bio),
    links,
    bioLinks: bio.includes(short) ? { urls: links } : undefined,
    location: draw.chance('place') < 0.6 ? draw.pick('where', phrases.places.split('|')) : undefined,
    isVerified: kind !== 'none',
    following: Math.round(8 * 200 ** draw.chance('following')),
    posts: Math.max(80, Math.round((ageDays * 24) / hoursBetween / 2)),
    listed: Math.round(followers / 140),
  })
}

/** Texts have entities. */
export const escapeX = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function bioOf(handle: string, form: number): string {
  const [first = '', second = ''] = [...new Set(subjectsOfAccount(handle))]
  const link = `https://t.co/${handle.slice(0, 8)}`
  return fillTemplate<string>(phrases.bios[form], { first, second, First: sentenceCase(first), link })
}
