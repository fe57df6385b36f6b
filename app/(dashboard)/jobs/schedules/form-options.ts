import type { dashboardApi } from '../../dashboard-api'
import { loadChatModels } from '../chat-models'

/** What the form of a schedule offers. `keyId`: that of the schedule to change. */
export async function loadScheduleOptions(api: Awaited<ReturnType<typeof dashboardApi>>, keyId?: number) {
  const [runKey, models, { capabilities }] = await Promise.all([
    api.jobs.runKey({ keyId }),
    loadChatModels(api),
    api.keys.options(),
  ])
  return { runKey, models, capabilities, timeZones: ['UTC', ...Intl.supportedValuesOf('timeZone')] }
}
