import type { ReactNode } from 'react'
import { TablePageSkeleton } from '@/components/ui/skeleton'
import { SkeletonLater } from '@/components/ui/skeleton-later'

export default function LibraryLayout({ children }: { children: ReactNode }) {
  return <SkeletonLater skeleton={<TablePageSkeleton />}>{children}</SkeletonLater>
}
