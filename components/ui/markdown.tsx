import MarkdownToJsx, { type MarkdownToJSX } from 'markdown-to-jsx/react'
import type { ComponentProps } from 'react'
import { cn } from './cn'

const link = 'text-accent underline underline-offset-2'

const shared: MarkdownToJSX.Overrides = {
  p: { props: { className: 'my-2 max-w-[80ch] first:mt-0 last:mb-0' } },
  ul: { props: { className: 'my-2 list-disc pl-5' } },
  ol: { props: { className: 'my-2 list-decimal pl-5' } },
  blockquote: { props: { className: 'my-2 border-l-2 pl-3 text-muted' } },
  code: { props: { className: 'num' } },
  // What scrolls must be reachable by keyboard.
  pre: {
    props: { tabIndex: 0, className: 'num my-3 max-h-96 overflow-auto rounded border bg-sunken p-3 text-caption' },
  },
  table: {
    component: (props: ComponentProps<'table'>) => (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      <div tabIndex={0} className="my-3 overflow-x-auto">
        <table {...props} className="w-full border-collapse text-table" />
      </div>
    ),
  },
  th: { props: { className: 'border-b px-2 py-1 text-left font-semibold' } },
  td: { props: { className: 'border-b px-2 py-1 align-top' } },
}

const Heading = ({ className, ...rest }: ComponentProps<'h3'>) => (
  <h3 {...rest} className={cn('mt-4 mb-1 font-semibold first:mt-0', className)} />
)

const Outside = ({ href, children }: ComponentProps<'a'>) => (
  <a href={href} rel="noopener noreferrer nofollow" target="_blank" className={link}>
    {children}
  </a>
)

/** A stranger's text: its headings stand below ours, its links lead outside, its pictures are links. */
const strangers: MarkdownToJSX.Overrides = {
  ...shared,
  ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [name, { component: Heading }])),
  a: { component: Outside },
  // A picture would tell its host who reads this.
  img: {
    component: ({ src, alt }: ComponentProps<'img'>) => <Outside href={String(src ?? '')}>{alt || 'picture'}</Outside>,
  },
}

const ours: MarkdownToJSX.Overrides = {
  ...shared,
  h1: { props: { className: 'mb-3 text-title font-semibold' } },
  h2: { props: { className: 'mt-10 mb-3 scroll-mt-4 border-b pb-1 text-[1.0625rem] font-semibold' } },
  h3: { props: { className: 'num mt-6 mb-2 scroll-mt-4 font-semibold' } },
  a: { props: { className: link } },
}

/** Markdown without raw HTML: what looks like a tag is text. `isOurs`: a document of ours rather than a stranger's words. */
export const Markdown = ({ text, isOurs = false }: { text: string; isOurs?: boolean }) => (
  <div className="min-w-0 [overflow-wrap:anywhere]">
    <MarkdownToJsx options={{ disableParsingRawHTML: true, forceBlock: true, overrides: isOurs ? ours : strangers }}>
      {text}
    </MarkdownToJsx>
  </div>
)
