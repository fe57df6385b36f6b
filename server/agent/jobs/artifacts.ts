import { z } from 'zod'
import { env } from '../../env'
import { JobArtifact } from '../shape'

const MAX_ARTIFACTS = 500

/**
 * The artifacts of the job `j` as JSON, part of a statement that reads it: null where there are
 * none. A dataset that was deleted and a site that was taken down are left out; one that has only a
 * preview is there.
 */
export const ARTIFACTS = `(SELECT jsonb_agg(jsonb_build_object('kind', m.kind, 'id', m.ref, 'name', m.name, 'url', m.url)
      ORDER BY m.index, m.kind, m.ref) FROM (
        SELECT a.* FROM artifact a WHERE a.job_id = j.id AND CASE a.kind
          WHEN 'dataset' THEN EXISTS (SELECT 1 FROM dataset d WHERE d.owner_id = j.owner_id AND d.name = a.ref)
          WHEN 'site' THEN EXISTS (SELECT 1 FROM site s WHERE s.slug = a.ref AND s.owner_id = j.owner_id AND (s.live IS NOT NULL
            OR EXISTS (SELECT 1 FROM site_version v WHERE v.slug = s.slug AND v.preview IS NOT NULL)))
          ELSE true END
        ORDER BY a.index DESC LIMIT ${MAX_ARTIFACTS}) m)`

const Rows = z.array(JobArtifact.required().extend({ url: z.string().nullable() }))

/** Where a dataset is downloaded, with a key of its owner. */
const datasetUrl = (name: string): string => `${env().PUBLIC_URL}/api/v1/datasets/${name}?format=csv`

/** Artifacts as the API shows them. */
export const viewArtifacts = (json: unknown): JobArtifact[] =>
  json === null
    ? []
    : Rows.parse(json).map(({ kind, id, name, url }) => ({
        kind,
        name,
        ...(url !== null ? { url } : kind === 'dataset' && { url: datasetUrl(id) }),
        id,
      }))
