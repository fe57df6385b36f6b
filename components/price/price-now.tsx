import Link from 'next/link'
import { MayOpen } from '../shell/role'
import { formatUsd } from '../ui/amount'
import { cn } from '../ui/cn'
import { fittedText, priceText, shortText, spokenPrice, typicalText } from './price-text'
import type { PriceInfo } from './shape'
import { useSettled } from './use-settled'

/** A price is announced once it has stayed the same for this long. */
const SPEAK_AFTER_MS = 1_200

type Props = {
  of: PriceInfo | undefined
  /** It belongs to an earlier state of the form. */
  isOld?: boolean
  /** What is said while nothing is known. */
  unknown?: string
  className?: string
}

/**
 * What the next call costs, live: the most and the usual charge, what of its parameters is changed,
 * and whether the credits are enough. Its first line keeps its height.
 */
export function PriceNow({ of, isOld = false, unknown = 'The price appears here.', className }: Props) {
  const spoken = useSettled(of ? spokenPrice(of) : '', SPEAK_AFTER_MS)
  const short = of && shortText(of)
  return (
    <div className={cn('grid min-w-0 gap-1 text-caption text-muted', className)} data-testid="price">
      <p className="sr-only" aria-live="polite">
        {spoken}
      </p>
      <div aria-hidden aria-busy={isOld || undefined} className="min-h-5">
        {of ? <PriceLine of={of} /> : unknown}
      </div>
      {of?.fitted && of.fitted.length > 0 && <p className="text-warn">{fittedText(of.fitted)}</p>}
      {short && (
        <p className="text-warn">
          {short}{' '}
          <MayOpen as="billing">
            <Link href="/credits" prefetch={false} className="underline underline-offset-2">
              Credits
            </Link>
          </MayOpen>
        </p>
      )}
    </div>
  )
}

/** `Up to 1 112 credits ≈ $0.40, usually 900`. */
function PriceLine({ of }: { of: PriceInfo }) {
  const { most, creditsPerUsd } = of
  const [text, typical] = [priceText(of), typicalText(of)]
  if (text === null || most === null) {
    return `The provider sets the price${typical ? `, ${typical} credits` : ''}. A limit of yours among the parameters caps it.`
  }
  return (
    <>
      <span className="num font-sans text-text">{text.charAt(0).toUpperCase() + text.slice(1)}</span>{' '}
      <span className="whitespace-nowrap">≈ {formatUsd(most, creditsPerUsd)}</span>
      {typical && <span className="num font-sans">, {typical}</span>}
    </>
  )
}
