import type { ReactNode } from 'react'
import { orNotFound } from '../../../or-not-found'
import { ownerApi } from '../../owner-api'

type Props = { params: Promise<{ jobId: string }>; children: ReactNode }

/** Looks before anything is sent whether there is such a job: once a page streams, its status can no longer be 404. */
export default async function JobLayout({ params, children }: Props) {
  const { jobId } = await params
  const api = await ownerApi()
  await orNotFound(api.jobs.get({ jobId }))
  return children
}
