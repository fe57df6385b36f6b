import { cva, type VariantProps } from 'class-variance-authority'
import Link from 'next/link'
import type { ComponentProps } from 'react'
import { cn } from './cn'

const look = cva(
  'inline-flex shrink-0 items-center justify-center gap-1.5 rounded border font-medium whitespace-nowrap transition-colors disabled:opacity-55 disabled:pointer-events-none',
  {
    variants: {
      kind: {
        primary: 'border-transparent bg-accent text-on-accent hover:bg-accent-hover',
        plain: 'border-line bg-raised text-text hover:border-line-strong',
        quiet: 'border-transparent text-muted hover:bg-sunken hover:text-text',
        danger: 'border-line bg-raised text-bad hover:border-bad hover:bg-bad-weak',
        destroy: 'border-transparent bg-bad text-on-bad hover:opacity-90',
      },
      size: { small: 'h-7 px-2.5 text-table', normal: 'h-9 px-3.5', icon: 'size-8' },
    },
    defaultVariants: { kind: 'plain', size: 'normal' },
  },
)

type Look = VariantProps<typeof look>

/** A button; `busy` shows that its action is in progress and disables it. */
export function Button({
  kind,
  size,
  className,
  busy = false,
  disabled,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & Look & { busy?: boolean }) {
  return (
    <button
      type={type}
      className={cn(look({ kind, size }), busy && 'animate-pulse', className)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    />
  )
}

/** A link that looks like a button. */
export function ButtonLink({ kind, size, className, ...rest }: ComponentProps<typeof Link> & Look) {
  return <Link className={cn(look({ kind, size }), className)} {...rest} />
}
