import { trimEnd } from '../../kit/trim-end'

/**
 * A post, with the comment a link points at; or the path of a share link, whose post only Reddit
 * knows.
 */
export type PostAddress = { postId: string; commentId: string | null } | { sharePath: string }

const BARE_ID = /^(?:t3_)?([a-z0-9]{1,13})$/i
const SHARE = /^\/(?:r|u|user)\/[\w-]{1,30}\/s\/[A-Za-z0-9]{1,32}$/
const ID = /^[a-z0-9]{1,13}$/i

/**
 * Reads a post's id, its full name (`t3_…`) or any form of its URL: www., old., np. and other hosts
 * of reddit.com, redd.it, with or without scheme, community and title, links to comments and
 * galleries, share links. Else null.
 */
export function readPostAddress(text: string): PostAddress | null {
  const bare = BARE_ID.exec(text)?.[1]
  if (bare !== undefined) return { postId: bare.toLowerCase(), commentId: null }
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  if (!url) return null
  const path = trimEnd(url.pathname, '/').replace(/\.(json|compact|rss)$/, '')
  const parts = path.split('/').filter(Boolean)

  if (url.hostname === 'redd.it' || url.hostname === 'www.redd.it') return parts.length === 1 ? post(parts[0]) : null
  if (url.hostname !== 'reddit.com' && !url.hostname.endsWith('.reddit.com')) return null
  if (SHARE.test(path)) return { sharePath: path }
  // …/comments/<post>/<title>/<comment>; gallery/<post> and tb/<post> name a post too.
  const at = ['r', 'u', 'user'].includes(parts[0] ?? '') ? 2 : 0
  if (parts[at] === 'comments') return post(parts[at + 1], parts[at + 3])
  if (parts[at] === 'gallery' || parts[at] === 'tb') return post(parts[at + 1])
  return null
}

function post(postId: string | undefined, commentId?: string): PostAddress | null {
  if (!postId || !ID.test(postId)) return null
  const comment = commentId && ID.test(commentId) ? commentId.toLowerCase() : null
  return { postId: postId.toLowerCase(), commentId: comment }
}
