import type { ModelKind, OfferedModel } from '@/server/models/shape'

/** Which models are listed: those of this kind that contain all of these words. */
export type ModelFilter = { q: string; kind: ModelKind | null }

export const MODEL_KIND_LABELS: Record<ModelKind, string> = {
  chat: 'Chat',
  embedding: 'Embeddings',
  image: 'Images',
  video: 'Video',
}

export const isModelKind = (value: unknown): value is ModelKind =>
  typeof value === 'string' && Object.hasOwn(MODEL_KIND_LABELS, value)

/** True when the text contains every word of `q`, ignoring case. */
export function matchesWords(text: string, q: string): boolean {
  const where = text.toLowerCase()
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => where.includes(word))
}

/** The models that match a filter, in their order. "vision" can be searched for too. */
export const filterModels = (models: readonly OfferedModel[], { q, kind }: ModelFilter): OfferedModel[] =>
  models.filter(
    (m) =>
      (kind === null || m.kind === kind) &&
      matchesWords(`${m.id} ${m.name} ${m.provider} ${m.vision ? 'vision' : ''}`, q),
  )
