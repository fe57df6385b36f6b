import { Skeleton } from '../ui/skeleton'

/** A tab of the settings that is loading, below their title and tabs. */
export const SettingsSkeleton = () => (
  <div role="status" aria-label="Loading" className="grid max-w-[760px] gap-4">
    <Skeleton className="w-40" />
    <Skeleton className="h-9" />
    <Skeleton className="h-40" />
  </div>
)
