/** What kinds of things tools make. */
export type ArtifactKind = 'file' | 'image' | 'video' | 'dataset' | 'site'

/**
 * Something that a call made and that people can use. `id` names it among those of its kind: a
 * hosted file's id, a dataset's name, a site's slug. Without a `url` it has one that follows from
 * the id.
 */
export type ToolArtifact = { kind: ArtifactKind; id: string; name: string; url?: string }

const MAX_NAME_CHARS = 80

/** A hosted file as an artifact, under the first line of a text that says what is in it. */
export function hostedArtifact(kind: ArtifactKind, url: string, text: string): ToolArtifact {
  const line = text.trim().split(/\r?\n/, 1)[0] ?? ''
  const name = line.length > MAX_NAME_CHARS ? `${line.slice(0, MAX_NAME_CHARS - 1).toWellFormed()}…` : line
  const id = url.slice(url.lastIndexOf('/') + 1)
  return { kind, id, name: name || id, url }
}
