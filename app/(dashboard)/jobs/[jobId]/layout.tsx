import type { ReactNode } from 'react'
import { loadJob } from '../../load'

type Props = { params: Promise<{ jobId: string }>; children: ReactNode }

/** Loads the job before anything is sent: once a page streams, its status can no longer be 404. */
export default async function JobLayout({ params, children }: Props) {
  await loadJob((await params).jobId)
  return children
}
