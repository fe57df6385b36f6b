import { isIP } from 'node:net'
import { AppError, invalidRequest } from '../errors'
import { isPublicAddress } from '../kit/public-address'
import { chatModels } from '../models/registry'
import type { Model } from '../models/shape'
import type { ChatRequest } from './shape'

type Part = { type: string; image_url?: unknown }
type Image = { role: string; path: (string | number)[]; part: Part }

/** An image in whatever form a provider might read it: only the common one is checked, and so allowed. */
const isImage = (part: Part): boolean => part.image_url !== undefined || /image/i.test(part.type)

/** Every image part of a request, with where it stands. */
const imagesIn = ({ messages }: ChatRequest): Image[] =>
  messages.flatMap(({ role, content }, m) =>
    Array.isArray(content)
      ? content.flatMap((part, p) => (isImage(part) ? [{ role, path: ['messages', m, 'content', p], part }] : []))
      : [],
  )

/** Every address in a part of another kind, such as a film or a document, with the part's place. */
const linksIn = ({ messages }: ChatRequest) =>
  messages.flatMap(({ content }, m) =>
    Array.isArray(content)
      ? content.flatMap((part, p) =>
          part.type === 'text' || isImage(part)
            ? []
            : textsIn(part)
                .filter((text) => /^\s*[a-z][a-z\d+.-]*:\/\//i.test(text))
                .map((url) => ({ path: ['messages', m, 'content', p], url: url.trim() })),
        )
      : [],
  )

const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : []

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
  const isPrivate = isIP(host) ? !isPublicAddress(host) : LOCAL_NAME.test(host) || !/.\../.test(host)
  return isPrivate ? 'is not on the public internet' : null
}

/**
 * Checks the images of a request: only in messages of the role user, only https or data:, only for models that see;
 * and that other media stand on the public internet too.
 * Throws `invalid_request`; for a model that takes none its message names those that do.
 */
export function checkImages(request: ChatRequest, model: Model): void {
  const links = linksIn(request).flatMap(({ path, url }) => {
    const message = wrongUrl(url)
    return message ? [{ path, message }] : []
  })
  if (links.length > 0) throw invalidRequest(links)
  const images = imagesIn(request)
  if (images.length === 0) return
  if (!model.vision) {
    const seeing = chatModels().filter((m) => m.vision)
    const names = seeing.length > 0 ? `These do: ${seeing.map((m) => m.id).join(', ')}.` : 'None here does.'
    throw new AppError('invalid_request', `Model ${model.id} takes no images. ${names}`, {
      detail: { param: 'messages' },
    })
  }
  const issues = images.flatMap(({ role, path, part: { type, image_url: given } }) => {
    if (type !== 'image_url') return [{ path: [...path, 'type'], message: 'an image must be a part of type image_url' }]
    const url = typeof given === 'object' ? (given as { url?: unknown } | null)?.url : given
    const message = role === 'user' ? wrongUrl(url) : 'images may only stand in messages of the role user'
    return message ? [{ path: [...path, 'image_url', 'url'], message }] : []
  })
  if (issues.length > 0) throw invalidRequest(issues)
}
