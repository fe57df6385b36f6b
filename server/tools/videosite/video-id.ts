import { z } from 'zod'

const ID = /^[A-Za-z0-9_-]{11}$/
const HOSTS = /^(?:(?:www|m|music|gaming|kids)\.)?(?:youtube\.com|youtube-nocookie\.com)$/
const SHORT_HOSTS = /^(?:www\.)?youtu\.be$/
/** Paths that name the video in their second part. */
const PATHS = new Set(['watch', 'shorts', 'embed', 'live', 'v', 'e', 'vi'])

/**
 * The 11-character id in an id or any form of a video's URL: watch, youtu.be, shorts, embed, live,
 * mobile and music hosts, with or without scheme and further parameters. Null for anything else.
 */
export function parseVideoId(text: string): string | null {
  if (ID.test(text)) return text
  const address = /^https?:\/\//i.test(text) ? text : `https://${text.replace(/^\/\//, '')}`
  if (!URL.canParse(address)) return null
  const { hostname, pathname, searchParams } = new URL(address)
  const parts = pathname.split('/').filter(Boolean)
  if (SHORT_HOSTS.test(hostname)) return checked(parts[0])
  if (!HOSTS.test(hostname)) return null
  const [kind = '', id] = parts
  // A share link that leads to another page of the site.
  const onward = kind === 'attribution_link' ? searchParams.get('u') : null
  if (onward?.startsWith('/') && !onward.startsWith('/attribution_link'))
    return parseVideoId(`www.youtube.com${onward}`)
  if (kind === 'watch' && id === undefined) return checked(searchParams.get('v'))
  return PATHS.has(kind) ? checked(id) : null
}

const checked = (id: string | null | undefined): string | null => (id && ID.test(id) ? id : null)

/** A parameter of three tools: an id or URL, which becomes the id. */
export const VideoId = z
  .string()
  .trim()
  .max(2048)
  .transform((text, context) => {
    const id = parseVideoId(text)
    if (id !== null) return id
    context.addIssue({ code: 'custom', message: 'must be the 11-character id of a video, or its URL' })
    return z.NEVER
  })
  .describe('The video: its id of 11 characters, or its URL in any form')
