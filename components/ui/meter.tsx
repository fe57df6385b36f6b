import { cn } from './cn'

type Part = { value: number; className: string }

/** A bar of parts of a whole. `label` describes it for screen readers. */
export function Meter({
  parts,
  whole,
  label,
  className,
}: {
  parts: Part[]
  whole: number
  label: string
  className?: string
}) {
  const share = (value: number) => `${whole > 0 ? Math.min(100, (value / whole) * 100) : 0}%`
  return (
    <div role="img" aria-label={label} className={cn('flex h-1.5 overflow-hidden rounded-full bg-line', className)}>
      {parts
        .filter((part) => part.value > 0)
        .map((part) => (
          <div
            key={part.className}
            className={cn('min-w-[2px]', part.className)}
            style={{ width: share(part.value) }}
          />
        ))}
    </div>
  )
}
