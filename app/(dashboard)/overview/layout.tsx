import type { ReactNode } from 'react'
import { CardsPageSkeleton } from '@/components/ui/skeleton'
import { SkeletonLater } from '@/components/ui/skeleton-later'

export default function OverviewLayout({ children }: { children: ReactNode }) {
  return <SkeletonLater skeleton={<CardsPageSkeleton />}>{children}</SkeletonLater>
}
