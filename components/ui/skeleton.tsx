import { cn } from './cn'

/**
 * Below a skeleton: what to do when what it stands for does not come. It shows itself after eight
 * seconds, without script.
 */
const SlowHint = () => (
  <p className="mt-6 animate-late text-muted">
    This takes longer than usual.{' '}
    {/* biome-ignore lint/a11y/useValidAnchor: an empty address is this page, with its parameters */}
    <a href="" className="text-accent underline underline-offset-2">
      Load the page again
    </a>
  </p>
)

/** A placeholder for content that is loading. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden className={cn('h-4 animate-pulse rounded bg-line', className)} />
)

const rowNames = Array.from({ length: 8 }, (_, i) => `row ${i + 1}`)

/** A loading page with a table. */
export const TablePageSkeleton = () => (
  <div role="status" aria-label="Loading">
    <Skeleton className="mb-2 h-6 w-40" />
    <Skeleton className="mb-6 w-72" />
    <div className="rounded border bg-raised">
      {rowNames.map((name) => (
        <div key={name} className="flex gap-6 border-b px-3 py-3 last:border-b-0">
          <Skeleton className="w-40" />
          <Skeleton className="w-24 max-md:hidden" />
          <Skeleton className="ml-auto w-16" />
        </div>
      ))}
    </div>
    <SlowHint />
  </div>
)

/** A loading page of cards. */
export const CardsPageSkeleton = () => (
  <div role="status" aria-label="Loading" className="max-w-[1200px]">
    <Skeleton className="mb-6 h-6 w-40" />
    <div className="grid gap-6 lg:grid-cols-2">
      <Skeleton className="h-36" />
      <Skeleton className="h-36" />
      <Skeleton className="h-64 lg:col-span-2" />
    </div>
    <SlowHint />
  </div>
)

/** A loading form with a summary beside it. */
export const FormPageSkeleton = () => (
  <div role="status" aria-label="Loading">
    <Skeleton className="mb-2 h-6 w-40" />
    <Skeleton className="mb-6 w-72" />
    <div className="grid gap-x-10 gap-y-4 lg:grid-cols-[minmax(0,640px)_minmax(260px,340px)]">
      <div className="grid gap-4">
        <Skeleton className="h-9" />
        <Skeleton className="h-40" />
        <Skeleton className="h-24" />
      </div>
      <Skeleton className="h-48" />
    </div>
    <SlowHint />
  </div>
)
