import { isIP } from 'node:net'
import { AppError, invalidRequest } from '../errors'
import { isPublicAddress } from '../kit/public-address'
import { chatModels } from '../models/registry'
import type { Model } from '../models/shape'
import type { ChatRequest } from './shape'

type Image = { role: string; path: (string | number)[]; url: unknown }

/** Every image part of a request, with where it stands. */
function imagesIn({ messages }: ChatRequest): Image[] {
  return messages.flatMap(({ role, content }, m) =>
    Array.isArray(content)
      ? content.flatMap((part, p) => {
          if (part.type !== 'image_url') return []
          const given = part.image_url as { url?: unknown } | string | undefined
          const url = typeof given === 'object' ? given?.url : given
          return [{ role, path: ['messages', m, 'content', p, 'image_url', 'url'], url }]
        })
      : [],
  )
}

const LOCAL_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa)\.?$/i

/** What is wrong with an image's address, or null. A provider inside our network must not fetch from it for a caller. */
function wrongUrl(url: unknown): string | null {
  if (typeof url !== 'string') return 'must be an https URL or a data: URI'
  if (/^data:image\/[\w.+-]+;base64,[A-Za-z0-9+/=\s]+$/.test(url.slice(0, 200)) && url.startsWith('data:')) return null
  if (url.startsWith('data:')) return 'must be a base64 data: URI of an image'
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed?.protocol !== 'https:') return 'must be an https URL or a data: URI'
  if (parsed.username || parsed.password) return 'must not carry credentials'
  const host = parsed.hostname.replace(/^\[(.*)\]$/, '$1')
  const isPrivate = isIP(host) ? !isPublicAddress(host) : LOCAL_NAME.test(host) || !host.includes('.')
  return isPrivate ? 'is not on the public internet' : null
}

/**
 * Checks the images of a request: only in messages of the role user, only https or data:, only for models that see.
 * Throws `invalid_request`; for a model that takes none its message names those that do.
 */
export function checkImages(request: ChatRequest, model: Model): void {
  const images = imagesIn(request)
  if (images.length === 0) return
  if (!model.vision) {
    const seeing = chatModels().filter((m) => m.vision)
    const names = seeing.length > 0 ? `These do: ${seeing.map((m) => m.id).join(', ')}.` : 'None here does.'
    throw new AppError('invalid_request', `Model ${model.id} takes no images. ${names}`, {
      detail: { param: 'messages' },
    })
  }
  const issues = images.flatMap(({ role, path, url }) => {
    const message = role === 'user' ? wrongUrl(url) : 'images may only stand in messages of the role user'
    return message ? [{ path, message }] : []
  })
  if (issues.length > 0) throw invalidRequest(issues)
}
