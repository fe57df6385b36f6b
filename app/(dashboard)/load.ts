import { cache } from 'react'
import { orNotFound } from '../or-not-found'
import { dashboardApi } from './dashboard-api'

// What a page is about, or the not-found page; looked up once, though both the layout and the page ask.

export const loadJob = cache(async (jobId: string) => orNotFound((await dashboardApi()).jobs.get({ jobId })))

export const loadKey = cache(async (id: number) => orNotFound((await dashboardApi()).keys.get({ id })))

export const loadTool = cache(async (tool: string) => orNotFound((await dashboardApi()).tools.get({ tool })))
