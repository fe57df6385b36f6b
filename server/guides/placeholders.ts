import { env } from '../env'
import { allModels, chatModels } from '../models/registry'
import type { ModelKind } from '../models/shape'

const idOfKind = (kind: ModelKind): string => allModels().find((model) => model.kind === kind)?.id ?? `provider/${kind}`

/** The chat model that costs least. */
function smallModelId(): string {
  const [first, ...rest] = chatModels()
  return (
    rest.reduce((min, one) => (min && one.creditsPer1mOutput < min.creditsPer1mOutput ? one : min), first)?.id ??
    idOfKind('chat')
  )
}

/** What guides write for what differs from instance to instance. */
const PLACEHOLDERS: Record<string, () => string> = {
  origin: () => env().PUBLIC_URL,
  base_url: () => `${env().PUBLIC_URL}/api/v1`,
  model: () => idOfKind('chat'),
  small_model: smallModelId,
  embedding_model: () => idOfKind('embedding'),
  image_model: () => idOfKind('image'),
}

/**
 * A guide's text with the addresses and models of this instance. Throws on a placeholder that does
 * not exist.
 */
export const fillPlaceholders = (text: string): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = PLACEHOLDERS[name]
    if (!value) throw new Error(`A guide uses {{${name}}}, which is not a placeholder.`)
    return value()
  })
