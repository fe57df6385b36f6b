export type ModelParams = { params: Promise<{ modelId: string[] }> }

/** The id in an address. Throws nothing: what cannot be decoded is the id of no model. */
export function modelIdOf({ modelId }: Awaited<ModelParams['params']>): string {
  try {
    return modelId.map(decodeURIComponent).join('/').slice(0, 400)
  } catch {
    return ''
  }
}
