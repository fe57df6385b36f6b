import { cva, type VariantProps } from 'class-variance-authority'
import type { ReactNode } from 'react'

const look = cva(
  'inline-flex items-center gap-1 rounded border px-1.5 text-caption leading-[18px] font-medium whitespace-nowrap',
  {
    variants: {
      tone: {
        plain: 'border-line bg-sunken text-muted',
        accent: 'border-transparent bg-accent-weak text-accent',
        good: 'border-transparent bg-good-weak text-good',
        warn: 'border-transparent bg-warn-weak text-warn',
        bad: 'border-transparent bg-bad-weak text-bad',
      },
    },
    defaultVariants: { tone: 'plain' },
  },
)

export type Tone = NonNullable<VariantProps<typeof look>['tone']>

/** A state in a word. The colour is never the only sign. */
export const Badge = ({ tone, children }: { tone?: Tone; children: ReactNode }) => (
  <span className={look({ tone })}>{children}</span>
)
