import { globSync } from 'node:fs'
import path from 'node:path'
import { PROJECT_ROOT } from '../../server/cli/kit/project'

/** A page of each route with a parameter that is there in every instance. */
const EXAMPLES: Readonly<Record<string, string>> = {
  '/catalog/[toolId]': '/catalog/property_search',
  '/docs/[slug]': '/docs/messages',
  '/models/[...modelId]': '/models/northwind/gale-4',
  '/docs/reference/[operation]': '/docs/reference/startAgentRun',
  '/docs/tools/[toolId]': '/docs/tools/web_search',
}

/** Routes whose pages are of something that a test makes first, and visits itself. */
const MADE_BY_TESTS = [
  '/budgets/[budgetId]',
  '/budgets/[budgetId]/edit',
  '/jobs/[jobId]',
  '/jobs/schedules/[scheduleId]',
  '/jobs/schedules/[scheduleId]/edit',
  '/keys/[keyId]',
  '/keys/[keyId]/edit',
  '/library/datasets/[name]',
  '/library/sites/[slug]',
  '/operators/owners/[ownerId]',
  '/operators/owners/[ownerId]/requests',
  '/operators/requests/[requestId]',
  '/operators/runs/[jobId]',
  '/shared/[token]',
]

/** The paths of all pages of a group of `app/`. Throws for a route that no page is known of. */
export function pagesOf(group: '(public)' | '(dashboard)'): string[] {
  const files = globSync('**/page.tsx', { cwd: path.join(PROJECT_ROOT, 'app', group) })
  const routes = files.map((file) => `/${path.dirname(file).replace(/\([^)]*\)|^\.$/g, '')}`)
  return routes
    .map((route) => path.normalize(route).replace(/(.)\/$/, '$1'))
    .filter((route) => !MADE_BY_TESTS.includes(route))
    .map((route) => {
      const page = EXAMPLES[route] ?? route
      if (page.includes('[')) throw new Error(`No test knows a page of ${route}: name one in ${import.meta.filename}.`)
      return page
    })
    .sort()
}
