import Link from 'next/link'
import type { GuideFacts } from '@/server/guides/shape'

const Neighbor = ({ guide: { slug, title }, label }: { guide: GuideFacts; label: string }) => (
  <Link href={`/docs/${slug}`} className="rounded border p-3 hover:border-line-strong">
    <span className="block text-caption text-muted">{label}</span>
    <span className="font-medium text-accent">{title}</span>
  </Link>
)

/** Links to the guides before and after this one. */
export function Neighbors({ guides, slug }: { guides: readonly GuideFacts[]; slug: string }) {
  const at = guides.findIndex((guide) => guide.slug === slug)
  const [previous, next] = [at > 0 ? guides[at - 1] : undefined, guides[at + 1]]
  return (
    <nav aria-label="Previous and next" className="mt-12 grid gap-3 sm:grid-cols-2">
      {previous ? <Neighbor guide={previous} label="Previous" /> : <span className="max-sm:hidden" />}
      {next && <Neighbor guide={next} label="Next" />}
    </nav>
  )
}
