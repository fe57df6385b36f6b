import 'server-only'
import type { ownerApi } from '../owner-api'

/** The models that runs can use, by name. */
export async function chatModelsOf(api: Awaited<ReturnType<typeof ownerApi>>): Promise<{ id: string; name: string }[]> {
  const { models } = await api.models.list()
  return models.filter(({ kind }) => kind === 'chat').map(({ id, name }) => ({ id, name }))
}
