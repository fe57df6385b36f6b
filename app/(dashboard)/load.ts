import { cache } from 'react'
import { orNotFound } from '../or-not-found'
import { dashboardApi } from './dashboard-api'

// The resource of a page, or the not-found page. Cached: the layout and the page both load it.

export const loadJob = cache(async (jobId: string) => orNotFound((await dashboardApi()).jobs.get({ jobId })))

export const loadKey = cache(async (id: number) => orNotFound((await dashboardApi()).keys.get({ id })))

export const loadBudget = cache(async (id: string) => orNotFound((await dashboardApi()).budgets.get({ id })))

export const loadLibraryDataset = cache(async (name: string) =>
  orNotFound((await dashboardApi()).library.dataset({ name })),
)

export const loadLibrarySite = cache(async (slug: string) => orNotFound((await dashboardApi()).library.site({ slug })))

export const loadTool = cache(async (tool: string) => orNotFound((await dashboardApi()).tools.get({ tool })))

export const loadSchedule = cache(async (scheduleId: string) =>
  orNotFound((await dashboardApi()).schedules.get({ scheduleId })),
)

export const loadModel = cache(async (model: string) => orNotFound((await dashboardApi()).models.get({ model })))
