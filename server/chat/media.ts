import { AppError, invalidRequest } from '../errors'
import type { ResolveHost } from '../kit/resolve'
import type { BodyPath, CompletionBody, CompletionRequest, MediaRef } from '../models/completion'
import { chatModels } from '../models/registry'
import type { Model } from '../models/shape'
import { isOnHost, parseMediaUrl, privateHosts } from './media-url'

type Issue = { path: BodyPath; message: string }
/** A URL of a body as it is sent to the upstream. */
type Link = { path: BodyPath; shown: BodyPath; given: unknown; href: string }

/** Different hosts that one request may name, because each is resolved. */
const MAX_HOSTS = 64

/**
 * Checks the media of a request in any wire: images only where its wire allows them, only https or
 * data:, only for models that take images; and that all media, also videos and documents, are on
 * the public internet. Returns the body with each URL as the URL parser wrote it. Throws
 * `invalid_request`; for a model that takes no images its message names those that do.
 */
export async function checkMedia(
  { body, media }: Pick<CompletionRequest, 'body' | 'media'>,
  model: Model,
  resolve?: ResolveHost,
): Promise<CompletionBody> {
  const refs = media(body)
  const files = checkRefs(refs.filter(({ kind }) => kind === 'file'))
  const images = refs.filter(({ kind }) => kind === 'image')
  const first = images[0]
  if (first && !model.vision) throw takesNoImages(model, first)
  const links = [...files, ...checkRefs(images)]
  await refusePrivate(links, resolve)
  return links.filter(({ given, href }) => given !== href).reduce<CompletionBody>(withHref, body)
}

/** The links of these. Throws `invalid_request` for those that are wrong. */
function checkRefs(refs: readonly MediaRef[]): Link[] {
  const links: Link[] = []
  const issues: Issue[] = []
  for (const { path, part: shown = path, wrong, ...ref } of refs) {
    if (wrong !== undefined) issues.push({ path: shown, message: wrong })
    else if ('url' in ref) {
      const read = parseMediaUrl(ref.url)
      if ('wrong' in read) issues.push({ path: shown, message: read.wrong })
      else links.push({ path, shown, given: ref.url, href: read.href })
    }
  }
  refuse(issues)
  return links
}

function refuse(issues: Issue[]): void {
  if (issues.length > 0) throw invalidRequest(issues)
}

async function refusePrivate(links: readonly Link[], resolve?: ResolveHost): Promise<void> {
  const hosts = new Set(links.filter(({ href }) => !href.startsWith('data:')).map(({ href }) => new URL(href).host))
  if (hosts.size > MAX_HOSTS)
    refuse([
      {
        path: links[0]?.path.slice(0, 1) ?? [],
        message: `name ${hosts.size} different hosts; ${MAX_HOSTS} are allowed`,
      },
    ])
  const blocked = await privateHosts(
    links.map(({ href }) => href),
    resolve,
  )
  refuse(
    links
      .filter(({ href }) => isOnHost(blocked, href))
      .map(({ shown }) => ({ path: shown, message: 'resolves to an address that is not on the public internet' })),
  )
}

function takesNoImages({ id }: Model, { path }: MediaRef): AppError {
  const models = chatModels().filter((m) => m.vision)
  const names = models.length > 0 ? `These do: ${models.map((m) => m.id).join(', ')}.` : 'No model here does.'
  return new AppError('invalid_request', `Model ${id} takes no images. ${names}`, {
    detail: { param: String(path[0] ?? '') || null },
  })
}

const withHref = (body: CompletionBody, { path, href }: Link): CompletionBody =>
  replaceAt(body, path, href) as CompletionBody

/** A copy of a value in which what is at `path` is another. */
function replaceAt(value: unknown, [step, ...rest]: BodyPath, by: unknown): unknown {
  if (step === undefined) return by
  if (Array.isArray(value)) return value.map((each, i) => (i === step ? replaceAt(each, rest, by) : each))
  if (typeof value !== 'object' || value === null) return value
  return { ...value, [step]: replaceAt((value as Record<string, unknown>)[step], rest, by) }
}
