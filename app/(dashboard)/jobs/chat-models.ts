import type { dashboardApi } from '../dashboard-api'

/** The models that agent runs can use. */
export async function loadChatModels(
  api: Awaited<ReturnType<typeof dashboardApi>>,
): Promise<{ id: string; name: string }[]> {
  const { models } = await api.models.list()
  return models.filter(({ kind }) => kind === 'chat').map(({ id, name }) => ({ id, name }))
}
