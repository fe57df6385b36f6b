import { AppError, invalidRequest } from '../errors'
import type { ResolveHost } from '../kit/public-address'
import type { CompletionBody } from '../models/completion'
import { chatModels } from '../models/registry'
import type { Model } from '../models/shape'
import { isOnHost, isUrl, parseMediaUrl, privateHosts } from './media-url'

type Part = { type: string; image_url?: unknown; [field: string]: unknown }
type Path = (string | number)[]
type Issue = { path: Path; message: string }
/** A part as sent to the upstream, and each URL in it with its path in the request. */
type Checked = { part: Part; links: { path: Path; href: string }[]; issues: Issue[] }

/** Different hosts that one request may name, because each is resolved. */
const MAX_HOSTS = 64

/**
 * True for an image in any form that a provider might read. Only the common form is checked and
 * allowed.
 */
const isImage = (part: Part): boolean => part.image_url !== undefined || /image/i.test(part.type)

type Message = { role: string; content?: unknown }

/** The messages of a body, whose wire has checked their form. */
const messagesOf = ({ messages }: CompletionBody) => messages as Message[]

const partsOf = (body: CompletionBody) =>
  messagesOf(body).flatMap(({ role, content }, m) =>
    Array.isArray(content) ? content.map((part: Part, p) => ({ role, part, path: ['messages', m, 'content', p] })) : [],
  )

/**
 * Checks the images of a request: only in messages of the role user, only https or data:, only for
 * models that take images; and that all media, also videos and documents, are on the public
 * internet. Returns the body with each URL as the URL parser wrote it. Throws `invalid_request`;
 * for a model that takes no images its message names those that do.
 */
export async function checkImages(body: CompletionBody, model: Model, resolve?: ResolveHost): Promise<CompletionBody> {
  const parts = partsOf(body)
  const media = parts.filter(({ part }) => part.type !== 'text' || isImage(part))
  if (media.length === 0) return body
  const otherMedia = new Map(
    media.filter(({ part }) => !isImage(part)).map(({ part, path }) => [part, checkOther(part, path)]),
  )
  refuse([...otherMedia.values()].flatMap(({ issues }) => issues))
  const images = media.filter(({ part }) => isImage(part))
  if (images.length > 0 && !model.vision) throw takesNoImages(model)
  const checkedImages = new Map(images.map((image) => [image.part, checkImage(image)]))
  refuse([...checkedImages.values()].flatMap(({ issues }) => issues))

  const checked = new Map([...otherMedia, ...checkedImages])
  await refusePrivate(
    [...checked.values()].flatMap(({ links }) => links),
    resolve,
  )
  return {
    ...body,
    messages: messagesOf(body).map((message) =>
      Array.isArray(message.content)
        ? { ...message, content: message.content.map((part: Part) => checked.get(part)?.part ?? part) }
        : message,
    ),
  }
}

function refuse(issues: Issue[]): void {
  if (issues.length > 0) throw invalidRequest(issues)
}

async function refusePrivate(links: { path: Path; href: string }[], resolve?: ResolveHost): Promise<void> {
  const hosts = new Set(links.filter(({ href }) => !href.startsWith('data:')).map(({ href }) => new URL(href).host))
  if (hosts.size > MAX_HOSTS)
    refuse([{ path: ['messages'], message: `name ${hosts.size} different hosts; ${MAX_HOSTS} are allowed` }])
  const blocked = await privateHosts(
    links.map(({ href }) => href),
    resolve,
  )
  refuse(
    links
      .filter(({ href }) => isOnHost(blocked, href))
      .map(({ path }) => ({ path, message: 'resolves to an address that is not on the public internet' })),
  )
}

function takesNoImages({ id }: Model): AppError {
  const models = chatModels().filter((m) => m.vision)
  const names = models.length > 0 ? `These do: ${models.map((m) => m.id).join(', ')}.` : 'No model here does.'
  return new AppError('invalid_request', `Model ${id} takes no images. ${names}`, { detail: { param: 'messages' } })
}

function checkImage({ role, part, path }: { role: string; part: Part; path: Path }): Checked {
  const wrong = (at: Path, message: string) => ({ part, links: [], issues: [{ path: at, message }] })
  if (part.type !== 'image_url') return wrong([...path, 'type'], 'an image must be a part of type image_url')
  const urlPath = [...path, 'image_url', 'url']
  if (role !== 'user') return wrong(urlPath, 'images are only allowed in messages of the role user')
  const { image_url: given } = part
  const isNested = typeof given === 'object' && given !== null
  const read = parseMediaUrl(isNested ? (given as { url?: unknown }).url : given)
  if ('wrong' in read) return wrong(urlPath, read.wrong)
  const { href } = read
  return {
    part: { ...part, image_url: isNested ? { ...given, url: href } : href },
    links: [{ path: urlPath, href }],
    issues: [],
  }
}

/** A part of another kind, such as a video or a document: every URL in it, at any depth. */
function checkOther(part: Part, path: Path): Checked {
  const links: Checked['links'] = []
  const issues: Issue[] = []
  const rewrite = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewrite)
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, rewrite(each)]))
    if (typeof value !== 'string' || !isUrl(value)) return value
    const read = parseMediaUrl(value)
    if ('wrong' in read) {
      issues.push({ path, message: read.wrong })
      return value
    }
    links.push({ path, href: read.href })
    return read.href
  }
  return { part: rewrite(part) as Part, links, issues }
}
