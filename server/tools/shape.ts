import { z } from 'zod'

/** What kinds of things tools make. */
export const ArtifactKind = z.enum(['file', 'image', 'video', 'dataset', 'site'])
export type ArtifactKind = z.infer<typeof ArtifactKind>

/**
 * Something that a call made and that people can use. `id` names it among those of its kind: a
 * hosted file's id, a dataset's name, a site's slug. Without a `url` it has one that follows from
 * the id.
 */
export type ToolArtifact = { kind: ArtifactKind; id: string; name: string; url?: string }
