import type { ReactNode } from 'react'
import { TablePageSkeleton } from '@/components/ui/skeleton'
import { SkeletonLater } from '@/components/ui/skeleton-later'
import { loadJob } from '../../load'

type Props = { params: Promise<{ jobId: string }>; children: ReactNode }

/** Loads the job before anything is sent: once a page streams, its status can no longer be 404. */
export default async function JobLayout({ params, children }: Props) {
  await loadJob((await params).jobId)
  return <SkeletonLater skeleton={<TablePageSkeleton />}>{children}</SkeletonLater>
}
