import type { GuideFacts } from '@/server/guides/shape'
import type { SideGroup } from './side-links'

/** The pages beside the guides. */
const REFERENCE: SideGroup = {
  title: 'Reference',
  links: [{ href: '/docs/api', label: 'Everything on one page' }],
}

/** The guides under their groups, which come in the order of their first guide. */
export const groupGuides = <G extends Pick<GuideFacts, 'group'>>(guides: readonly G[]): [string, G[]][] => [
  ...Map.groupBy(guides, ({ group }) => group),
]

/** The navigation of the documentation. */
export const sideGroupsOf = (guides: readonly GuideFacts[]): SideGroup[] => [
  { title: 'Documentation', links: [{ href: '/docs', label: 'Overview' }] },
  ...groupGuides(guides).map(([title, listed]) => ({
    title,
    links: listed.map((guide) => ({ href: `/docs/${guide.slug}`, label: guide.title })),
  })),
  REFERENCE,
]
