import type { ReferenceOperation } from '@/server/api/shape'
import type { GuideFacts, ToolGuideSummary } from '@/server/guides/shape'
import type { SideGroup } from './side-links'

/** The guides under their groups, which come in the order of their first guide. */
export const groupGuides = <G extends Pick<GuideFacts, 'group'>>(guides: readonly G[]): [string, G[]][] => [
  ...Map.groupBy(guides, ({ group }) => group),
]

type Pages = {
  guides: readonly GuideFacts[]
  operations: readonly Pick<ReferenceOperation, 'id' | 'method' | 'path'>[]
  tools: readonly ToolGuideSummary[]
}

/** The navigation of the documentation. */
export const sideGroupsOf = ({ guides, operations, tools }: Pages): SideGroup[] => [
  { title: 'Documentation', links: [{ href: '/docs', label: 'Overview' }] },
  ...groupGuides(guides).map(([title, listed]) => ({
    title,
    links: listed.map((guide) => ({ href: `/docs/${guide.slug}`, label: guide.title })),
  })),
  {
    title: 'Reference',
    links: [
      {
        href: '/docs/reference',
        label: 'Operations',
        below: operations.map(({ id, method, path }) => ({
          href: `/docs/reference/${id}`,
          label: `${method} ${path.replace('/api/v1', '')}`,
        })),
      },
      {
        href: '/docs/tools',
        label: 'Tools',
        below: tools.map(({ id }) => ({ href: `/docs/tools/${id}`, label: id })),
      },
      { href: '/docs/api', label: 'Everything on one page' },
      { href: '/docs/changelog', label: 'Changelog' },
    ],
  },
]
