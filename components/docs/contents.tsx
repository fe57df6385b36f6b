import type { GuideBlock, Heading } from '@/server/guides/shape'
import { headingsIn } from '@/server/guides/shape'
import { cn } from '../ui/cn'

/** The headings of a guide, in order. */
export const headingsOf = (blocks: readonly GuideBlock[]): Heading[] =>
  blocks.flatMap((block) => (block.kind === 'text' ? headingsIn(block.markdown) : []))

/** Links to the headings of a page. */
export function Contents({ headings }: { headings: readonly Heading[] }) {
  if (headings.length < 2) return null
  return (
    <nav aria-label="On this page" className="text-table">
      <p className="mb-2 font-medium">On this page</p>
      <ul className="grid gap-1.5 border-l">
        {headings.map(({ id, text, level }) => (
          <li
            key={id}
            className={cn('-ml-px border-l border-transparent pl-3 hover:border-accent', level === 3 && 'pl-6')}
          >
            <a href={`#${id}`} className="block text-muted hover:text-text">
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
