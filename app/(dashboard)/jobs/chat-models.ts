import type { dashboardApi } from '../dashboard-api'

/** The models that agent runs can use; `auto` where the account allows it. */
export async function loadChatModels(
  api: Awaited<ReturnType<typeof dashboardApi>>,
): Promise<{ id: string; name: string }[]> {
  const [{ models }, { autoModel }] = await Promise.all([api.models.list(), api.settings.get()])
  const chat = models.filter(({ kind }) => kind === 'chat').map(({ id, name }) => ({ id, name }))
  return autoModel ? [{ id: 'auto', name: 'Automatic: the cheapest that fits' }, ...chat] : chat
}
