import type { OfferedModel } from '@/server/models/shape'
import { Credits, formatCredits, formatUsd } from '../ui/amount'

/** Credits with their dollars below, muted. */
export const TokenPrice = ({ credits, rate }: { credits: number; rate: number }) => (
  <>
    <Credits value={credits} />
    <div className="num text-caption whitespace-nowrap text-muted">≈ {formatUsd(credits, rate)}</div>
  </>
)

/** What an image or video engine charges for, from least to most. Null for models paid by the token. */
export function mediaPriceRange({ image, video }: OfferedModel): { least: number; most: number; unit: string } | null {
  if (image) return { least: image.creditsPerImage, most: image.creditsPerImage, unit: 'an image' }
  if (!video) return null
  const prices = Object.values(video.creditsPerSecond)
  return { least: Math.min(...prices), most: Math.max(...prices), unit: 'a second' }
}

/** The price of an engine in a line, its dollars below. */
export function MediaPrice({ of, rate }: { of: OfferedModel; rate: number }) {
  const price = mediaPriceRange(of)
  if (!price) return null
  const { least, most, unit } = price
  const range = (format: (credits: number) => string) =>
    least === most ? format(least) : `${format(least)} – ${format(most)}`
  return (
    <>
      <span className="num whitespace-nowrap">{range(formatCredits)}</span> <span className="text-muted">{unit}</span>
      <div className="num text-caption whitespace-nowrap text-muted">
        ≈ {range((credits) => formatUsd(credits, rate))}
      </div>
    </>
  )
}
