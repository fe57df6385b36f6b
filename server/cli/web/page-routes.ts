import { readFileSync } from 'node:fs'
import path from 'node:path'
import { isRecord, recordsIn } from '../../kit/record'
import { PROJECT_ROOT } from '../kit/project'

/** A page's path in segments, such as `keys`, `[id]`. */
type PageRoute = { route: string; segments: string[] }

/** The route of paths that no page has. */
export const OTHER = 'other'
const ASSETS = '/_next/'

const segmentsOf = (route: string): string[] => route.split('/').filter(Boolean)

const isCatchAll = (segment: string): boolean => segment.startsWith('[...') || segment.startsWith('[[...')

const matches = ({ segments }: PageRoute, asked: readonly string[]): boolean =>
  (segments.length === asked.length || (isCatchAll(segments.at(-1) ?? '') && segments.length <= asked.length)) &&
  segments.every((segment, i) => segment.startsWith('[') || segment === asked[i])

/**
 * Finds the route that a path of Next belongs to: `/keys/[id]`, `/_next/*` for scripts and the
 * like, `other` for what there is not. `routes` is in Next's order, static ones first.
 */
export function makePageRouteFinder(routes: readonly string[]): (asked: string) => string {
  const fixed = new Set(routes.filter((route) => !route.includes('[')))
  const dynamic = routes.filter((route) => !fixed.has(route)).map((route) => ({ route, segments: segmentsOf(route) }))
  return (asked) => {
    if (fixed.has(asked)) return asked
    if (asked.startsWith(ASSETS)) return `${ASSETS}*`
    const segments = segmentsOf(asked)
    return dynamic.find((page) => matches(page, segments))?.route ?? OTHER
  }
}

/** The routes of Next's build; none where there is no build, as in development and in tests. */
export function readPageRoutes(): string[] {
  try {
    const manifest: unknown = JSON.parse(readFileSync(path.join(PROJECT_ROOT, '.next', 'routes-manifest.json'), 'utf8'))
    if (!isRecord(manifest)) return []
    const { staticRoutes, dynamicRoutes } = manifest
    return [...recordsIn(staticRoutes), ...recordsIn(dynamicRoutes)].flatMap(({ page }) =>
      typeof page === 'string' ? page : [],
    )
  } catch {
    return []
  }
}
