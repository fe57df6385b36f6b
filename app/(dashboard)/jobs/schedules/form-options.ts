import type { dashboardApi } from '../../dashboard-api'
import { loadChatModels } from '../chat-models'

/** What the form of a schedule offers. */
export async function loadScheduleOptions(api: Awaited<ReturnType<typeof dashboardApi>>) {
  const [keys, models, { capabilities }] = await Promise.all([api.jobs.keys(), loadChatModels(api), api.keys.options()])
  return { keys, models, capabilities, timeZones: ['UTC', ...Intl.supportedValuesOf('timeZone')] }
}
