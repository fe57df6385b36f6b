import type { ArtifactKind, ToolArtifact } from './shape'

const MAX_NAME_CHARS = 80

/** A hosted file as an artifact, under the first line of a text that says what is in it. */
export function hostedArtifact(kind: ArtifactKind, url: string, text: string): ToolArtifact {
  const line = text.trim().split(/\r?\n/, 1)[0] ?? ''
  const name = line.length > MAX_NAME_CHARS ? `${line.slice(0, MAX_NAME_CHARS - 1).toWellFormed()}…` : line
  const id = url.slice(url.lastIndexOf('/') + 1)
  return { kind, id, name: name || id, url }
}
