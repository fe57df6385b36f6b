import type { OfferedModel } from '@/server/models/shape'
import { Credits, formatCredits, formatUsd } from '../ui/amount'

/** Credits with their dollars below, muted. */
export const TokenPrice = ({ credits, rate }: { credits: number; rate: number }) => (
  <>
    <Credits value={credits} />
    <div className="num text-caption whitespace-nowrap text-muted">≈ {formatUsd(credits, rate)}</div>
  </>
)

/** The lowest and highest price of an image or video model. Null for models paid per token. */
export function mediaPriceRange({ image, video }: OfferedModel): { min: number; max: number; unit: string } | null {
  if (image) return { min: image.creditsPerImage, max: image.creditsPerImage, unit: 'per image' }
  if (!video) return null
  const prices = Object.values(video.creditsPerSecond)
  return { min: Math.min(...prices), max: Math.max(...prices), unit: 'per second' }
}

/** The price of an image or video model, with its dollars below. */
export function MediaPrice({ of, rate }: { of: OfferedModel; rate: number }) {
  const price = mediaPriceRange(of)
  if (!price) return null
  const { min, max, unit } = price
  const range = (format: (credits: number) => string) => (min === max ? format(min) : `${format(min)} – ${format(max)}`)
  return (
    <>
      <span className="num whitespace-nowrap">{range(formatCredits)}</span> <span className="text-muted">{unit}</span>
      <div className="num text-caption whitespace-nowrap text-muted">
        ≈ {range((credits) => formatUsd(credits, rate))}
      </div>
    </>
  )
}
