import type { SandboxRoute } from '../kit/route'
import { findRealAgency } from './agencies'
import { photoTag } from './home-forms'
import { findHome } from './homes'
import { agencyPage, homePage } from './pages'
import { drawPhoto } from './photos'

const missing = () => new Response('Not found', { status: 404 })
/** What follows a path's first parts, such as the code and the number of a photo. */
const rest = (req: Request) => new URL(req.url).pathname.split('/').slice(3).filter(Boolean)

async function photo(req: Request): Promise<Response> {
  const [code = '', file = ''] = rest(req)
  const home = findHome(code)
  const isMadeUp = /^90\d{6}$/.test(code)
  const tag = home
    ? photoTag(home, Number.parseInt(file, 10))
    : isMadeUp
      ? 'livingRoom'
      : file === 'logo.png'
        ? 'facade'
        : undefined
  if (!tag) return missing()
  const bytes = new Uint8Array(await drawPhoto(code, tag))
  return new Response(bytes, { headers: { 'content-type': 'image/png', 'cache-control': 'public, max-age=86400' } })
}

function advertisement(req: Request): Response {
  const home = findHome(rest(req)[0] ?? '')
  return home ? homePage(home, new URL(req.url).origin) : missing()
}

function agency(req: Request): Response {
  const found = findRealAgency(rest(req)[0] ?? '')
  return found ? agencyPage(found) : missing()
}

/** Photos and pages that advertisements and agencies link to. */
export const idealistaWeb: SandboxRoute[] = [
  { method: 'GET', path: '/idealista/photos/*', handle: photo },
  { method: 'GET', path: '/idealista/inmueble/*', handle: advertisement },
  { method: 'GET', path: '/idealista/pro/*', handle: agency },
]
