import { readdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { chooseEncoding, compressText } from '../../kit/compress'
import { log } from '../../kit/log'
import { PROJECT_ROOT } from '../kit/project'
import { holdResponse } from './hold-response'
import type { RequestListener } from './serve-page'
import { withoutNext } from './without-next'

/** The landing page and the documentation; its Markdown is another answer of these addresses. */
const PUBLIC_PAGE = /^\/(?:docs(?:\/[\w/-]*)?)?(?:\?|$)/

/** Navigation inside the dashboard asks for a page's data, not for its HTML. */
const asksForPage = ({ method, url = '/', headers }: IncomingMessage): boolean =>
  method === 'GET' && PUBLIC_PAGE.test(url) && headers.rsc === undefined

const nonceIn = (policy: unknown): string | null => /'nonce-([^']+)'/.exec(String(policy))?.[1] ?? null

async function sendPage(res: ServerResponse, html: string, accepts: string | undefined): Promise<void> {
  const encoding = chooseEncoding(accepts)
  const body = await compressText(html, encoding)
  if (encoding) res.setHeader('content-encoding', encoding)
  res.setHeader('content-length', body.length)
  // Unlike what Next says, a browser may keep the page for its back button.
  res.setHeader('cache-control', 'private, no-cache')
  res.end(body)
}

/** The address of the script that `npm run build` made; null where it is missing. */
function findScript(): string | null {
  try {
    const name = readdirSync(path.join(PROJECT_ROOT, '.next', 'static', 'islands')).find((file) =>
      /^islands-\w+\.js$/.test(file),
    )
    return name ? `/_next/static/islands/${name}` : null
  } catch {
    return null
  }
}

/**
 * Public pages as HTML with islands: what Next renders, without its runtime. An error is served as
 * it is, because Next draws it in the browser.
 */
export function withIslands(toNext: RequestListener): RequestListener {
  const script = findScript()
  if (!script) log.warn('public pages come with all of React: npm run build makes their own script')
  return (req, res) => {
    if (!script || !asksForPage(req)) return toNext(req, res)
    const accepts = req.headers['accept-encoding']?.toString()
    // What is changed here must not be compressed before.
    delete req.headers['accept-encoding']
    const held = holdResponse(res, ({ status, headers, body }) => {
      res.statusCode = status
      res.setHeaders(new Map(Object.entries(headers).map(([name, value = '']) => [name, value])))
      const nonce = nonceIn(headers['content-security-policy'])
      const isPage = status === 200 && String(headers['content-type']).startsWith('text/html')
      if (!isPage || !nonce) return void res.end(body)
      void sendPage(res, withoutNext(body.toString(), script, nonce), accepts)
    })
    return toNext(req, held)
  }
}
