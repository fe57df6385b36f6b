import { headingId } from '@/server/guides/shape'
import { Markdown } from '../ui/markdown'

/** Links to the second-level headings. */
function DocumentContents({ markdown }: { markdown: string }) {
  const heads = [...markdown.matchAll(/^## (.+)$/gm)].map(([, text = '']) => text)
  return (
    <nav aria-label="On this page" className="my-4 flex flex-wrap gap-x-4 gap-y-1 border-y py-3 text-table">
      {heads.map((text) => (
        <a key={text} href={`#${headingId(text)}`} className="text-accent underline-offset-2 hover:underline">
          {text}
        </a>
      ))}
    </nav>
  )
}

/** A trusted Markdown document as a page, rendered on the server without any script. */
export function Document({ markdown }: { markdown: string }) {
  const [head = '', ...rest] = markdown.split(/\n(?=## )/)
  return (
    <article>
      <Markdown trusted text={head} />
      <DocumentContents markdown={markdown} />
      <Markdown trusted text={rest.join('\n')} />
    </article>
  )
}
