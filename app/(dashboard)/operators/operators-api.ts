import { notFound } from 'next/navigation'
import { cache } from 'react'
import { orNotFound } from '../../or-not-found'
import { currentSession } from '../../session'
import { dashboardApi } from '../dashboard-api'

/** The procedures of operators. Whoever is none gets the page of what does not exist. */
export async function operatorsApi() {
  const api = await dashboardApi()
  if (!(await currentSession())?.isAdmin) notFound()
  return api.operators
}

// What a page is about, or the not-found page. Cached: the layout and the page both load it.

export const loadOwner = cache(async (ownerId: number) => orNotFound((await operatorsApi()).owners.get({ ownerId })))

export const loadRequest = cache(async (requestId: string) =>
  orNotFound((await operatorsApi()).requests.get({ requestId })),
)

export const loadRun = cache(async (jobId: string) => orNotFound((await operatorsApi()).runs.get({ jobId })))
