import { drawFrom } from '../kit/seed'
import { fillTemplate } from '../kit/template'
import { personOf } from '../prose/names'
import phrases from './phrases.json'
import shapes from './shapes.json'

const DAY_S = 86_400

const accountAgeDays = (name: string): number =>
  Math.round(150 * 34 ** drawFrom(`forum account ${name.toLowerCase()}`).chance('age'))

/** Somebody whose account is at least as old as what they wrote. */
export function forumAuthor(seed: string, ageDays: number): string {
  const draw = drawFrom(`forum author ${seed}`)
  let oldest = ''
  for (let attempt = 0; attempt < 8; attempt++) {
    const handle = personOf(`${seed} ${attempt}`).handle
    const name = draw.chance(`form ${attempt}`) < 0.5 ? handle : nickname(`${seed} ${attempt}`)
    if (accountAgeDays(name) > ageDays) return name
    if (oldest === '' || accountAgeDays(name) > accountAgeDays(oldest)) oldest = name
  }
  return oldest
}

function nickname(seed: string): string {
  const draw = drawFrom(`nickname ${seed}`)
  const [mood, noun] = [draw.pick('mood', phrases.moods.split(' ')), draw.pick('noun', phrases.nouns.split(' '))]
  return `${mood}${draw.pick('joint', ['_', '', '-'])}${noun}${draw.chance('number') < 0.6 ? draw.int('number', 2, 999) : ''}`
}

/** https://www.reddit.com/dev/api/#GET_user_{username}_about: any name has a profile. */
export function forumProfile(name: string, nowMs = Date.now()) {
  const draw = drawFrom(`forum account ${name.toLowerCase()}`)
  const link = Math.round(3 * 20_000 ** draw.chance('link karma'))
  const comment = Math.round(20 * 12_000 ** draw.chance('comment karma'))
  const midnightS = Math.floor(nowMs / 1000 / DAY_S) * DAY_S
  return fillTemplate(shapes.profile, {
    name,
    link,
    comment,
    total: link + comment,
    id: draw.int('id', 36 ** 6, 36 ** 7 - 1).toString(36),
    created: midnightS - accountAgeDays(name) * DAY_S - draw.int('second', 0, DAY_S - 1),
    hasEmail: draw.chance('email') < 0.8,
    isGold: draw.chance('gold') < 0.06,
    isMod: draw.chance('mod') < 0.15,
    icon: draw.int('icon', 0, 7),
    bio: draw.pick('bio', phrases.bios),
  })
}

/** A stub with status 200: https://github.com/praw-dev/praw/issues/1241 */
export const suspendedProfile = (name: string) => fillTemplate(shapes.suspended, { name })
