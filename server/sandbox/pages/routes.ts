import { beSlow } from '../kit/failures'
import type { SandboxRoute } from '../kit/route'
import { isHost, readPagePath } from './address'
import { articlePage, frontPage, simulatedPages } from './articles'
import { frontPageHtml, pageHtml } from './page'

/**
 * The web: /site/{host}/{kind}/{slug} is a page about anything, /site/{host}/ a front page.
 * A small fixed site: /site/ and /site/{article}, which a search with `sandbox:gazette` finds.
 * /site/status/{code} returns that status, /site/slow responds after 5 s, /site/redirect leads to
 * an article and /site/private to an address that the SSRF guard must refuse.
 */
export const pagesRoutes: SandboxRoute[] = [
  { method: 'GET', path: '/site/*', handle: page },
  { method: 'HEAD', path: '/site/*', handle: page },
]

const HTML = { 'content-type': 'text/html; charset=utf-8' }

const redirectTo = (location: string) => new Response(null, { status: 302, headers: { location } })

async function page(req: Request): Promise<Response> {
  const slug = new URL(req.url).pathname.slice('/site/'.length)
  if (slug === 'redirect') return redirectTo(`/site/${simulatedPages[0]?.slug}`)
  if (slug === 'private') return redirectTo('http://127.0.0.1:9/')
  if (slug === 'slow') await beSlow()
  const address = readPagePath(slug)
  if (address) return new Response(pageHtml(address), { headers: HTML })
  const host = /^([^/]+)\/?$/.exec(slug)?.[1] ?? ''
  if (isHost(host)) return new Response(frontPageHtml(host), { headers: HTML })
  const article = simulatedPages.find((known) => known.slug === slug)
  if (article) return new Response(articlePage(article), { headers: HTML })
  const requested = /^status\/([2-5]\d\d)$/.exec(slug)?.[1]
  const status = requested ? Number(requested) : slug === '' || slug === 'slow' ? 200 : 404
  if ([204, 205, 304].includes(status)) return new Response(null, { status })
  const body = status === 200 ? frontPage() : `<!doctype html><title>${status}</title><h1>${status}</h1>`
  return new Response(body, { status, headers: HTML })
}
