import { siteUrl } from '../env/site-hosting'
import { isPreviewName, type SitePage } from '../sites/shape'
import { isNotModified } from './etag'
import { type Exchange, makeHandler, pathOf, READ_METHODS } from './handler'
import { visitorCaller } from './procedure'
import { sendError } from './response'
import { contentServedAt, haveSitesOwnOrigins, siteNameAt } from './site-host'

/**
 * A stranger's page runs with an opaque origin: without `allow-same-origin` it has no cookies, no
 * storage and no access to anything else that this host serves, other sites included. Windows it
 * opens elsewhere are ordinary.
 */
const SANDBOX =
  'sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads'

/**
 * Headers of everything under /sites/. With a stricter opener policy browsers would refuse a
 * sandboxed page.
 */
const siteHeaders = (): Record<string, string> => ({
  'content-security-policy': haveSitesOwnOrigins() ? `${SANDBOX} allow-same-origin` : SANDBOX,
  'cross-origin-opener-policy': 'unsafe-none',
  'cross-origin-resource-policy': 'cross-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
})

/**
 * GET and HEAD of /sites/{slug}/…: published pages, public, and harmless to the dashboard whatever
 * is in them.
 */
export const sitesHandler = makeHandler('sites', answer, {
  methods: READ_METHODS,
  sendError: (thrown, headers) => sendError(thrown, { ...headers, ...siteHeaders() }),
})

async function answer({ req, headers }: Exchange): Promise<Response> {
  const all = { ...headers(), ...siteHeaders() }
  const path = pathOf(req.url)
  const { search, host: urlHost } = new URL(req.url)
  const host = req.headers.get('host') ?? urlHost
  const parts = partsOf(path)
  if (!parts) return missing(all)
  const [slug = '', ...rest] = parts
  if (contentServedAt(host) === 'service') {
    return redirect(`${siteUrl(slug)}${rest.map(encodeURIComponent).join('/')}${search}`, all)
  }
  if (isPreviewName(slug)) all['x-robots-tag'] = 'noindex, nofollow'
  const page = await visitorCaller(req).sitePage({ slug, path: rest.join('/') })
  if (!page || page.kind === 'none') return missing(all)
  // A page's relative links need the trailing slash of its folder.
  if (page.kind === 'folder' || rest.length === 0) {
    const shown = siteNameAt(host) === null ? path : path.slice(`/sites/${slug}`.length)
    return redirect(`${shown}/${search}`, all)
  }
  return sendFile(req, page, all)
}

/**
 * The decoded parts of a path after /sites/; null where one is invalid: undecodable, a dot, or with
 * a separator.
 */
function partsOf(path: string): string[] | null {
  try {
    const parts = path.slice('/sites/'.length).split('/').map(decodeURIComponent)
    const isName = (part: string, at: number) =>
      (part !== '' || at === parts.length - 1) && part !== '.' && part !== '..' && !/[\\/\0]/.test(part)
    return parts.every(isName) ? parts : null
  } catch {
    return null
  }
}

async function sendFile(
  req: Request,
  { file, status, open }: Extract<SitePage, { kind: 'file' }>,
  all: Record<string, string>,
): Promise<Response> {
  const etag = `"${file.fileId}"`
  const headers = {
    ...all,
    'content-type': file.contentType,
    // To a sandboxed page even its site is another origin: its modules, fonts and fetches need
    // this.
    'access-control-allow-origin': '*',
    'cache-control': 'no-cache',
    etag,
  }
  if (status === 200 && isNotModified(req.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers })
  }
  const length = { 'content-length': String(file.bytes) }
  if (req.method === 'HEAD') return new Response(null, { status, headers: { ...headers, ...length } })
  const body = await open()
  return body ? new Response(body, { status, headers: { ...headers, ...length } }) : missing(all)
}

const redirect = (location: string, headers: Record<string, string>) =>
  new Response(null, { status: 302, headers: { ...headers, location } })

const missing = (headers: Record<string, string>) =>
  new Response('Page not found.\n', {
    status: 404,
    headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' },
  })
