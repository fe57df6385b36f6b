import { runStatement } from '../db'
import { siteUrl } from '../env/site-hosting'
import { statement } from '../kit/statement'
import type { SiteView } from './shape'

/** Versions shown of each site. */
const SHOWN = 20

const SITES = statement({
  name: 'sites_list',
  sql: `SELECT s.slug, s.live, v.version, v.preview, v.created_at, jsonb_array_length(v.files) AS files,
      (SELECT coalesce(sum((f->>'bytes')::bigint), 0) FROM jsonb_array_elements(v.files) f) AS bytes
    FROM site s
    CROSS JOIN LATERAL (SELECT * FROM site_version WHERE slug = s.slug ORDER BY version DESC LIMIT ${SHOWN}) v
    WHERE s.owner_id = $1
    ORDER BY s.slug, v.version DESC`,
  params: ['int'],
  columns: {
    slug: 'text',
    live: 'int?',
    version: 'int',
    preview: 'text?',
    created_at: 'timestamptz',
    files: 'int',
    bytes: 'numeric',
  },
  isPrepared: true,
})

/** An owner's sites by name, each with its newest versions first. */
export async function listSites(ownerId: number): Promise<SiteView[]> {
  const rows = await runStatement(SITES, [ownerId], { repeatable: false })
  const sites = new Map<string, SiteView>()
  for (const { slug, live, version, files, bytes, preview, created_at } of rows) {
    const site = sites.get(slug) ?? { slug, url: siteUrl(slug), live, versions: [] }
    site.versions.push({
      ...{ version, files, bytes: Number(bytes), createdAt: created_at.toISOString() },
      preview: preview === null ? null : siteUrl(preview),
    })
    sites.set(slug, site)
  }
  return [...sites.values()]
}
