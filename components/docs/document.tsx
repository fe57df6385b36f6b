import type { ReactNode } from 'react'
import Markdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, '-')
    .replaceAll(/^-|-$/g, '')

const textOf = (children: ReactNode): string =>
  Array.isArray(children) ? children.map(textOf).join('') : typeof children === 'string' ? children : ''

const COMPONENTS: Components = {
  h1: ({ children }) => <h1 className="mb-3 text-title font-semibold">{children}</h1>,
  h2: ({ children }) => (
    <h2 id={slugOf(textOf(children))} className="mt-10 mb-3 scroll-mt-4 border-b pb-1 text-[1.0625rem] font-semibold">
      {children}
    </h2>
  ),
  h3: ({ children }) => (
    <h3 id={slugOf(textOf(children))} className="num mt-6 mb-2 scroll-mt-4 font-semibold">
      {children}
    </h3>
  ),
  p: ({ children }) => <p className="my-2 max-w-[76ch]">{children}</p>,
  pre: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre tabIndex={0} className="num my-3 overflow-x-auto rounded border bg-raised p-3 text-table">
      {children}
    </pre>
  ),
  code: ({ children }) => <code className="num">{children}</code>,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div tabIndex={0} className="my-3 overflow-x-auto">
      <table className="w-full border-collapse text-table">{children}</table>
    </div>
  ),
  th: ({ children }) => <th className="border-b px-2 py-1 text-left font-semibold">{children}</th>,
  td: ({ children }) => <td className="border-b px-2 py-1 align-top">{children}</td>,
  a: ({ href, children }) => (
    <a href={href} className="text-accent underline underline-offset-2">
      {children}
    </a>
  ),
}

/** The headings of the second level, as a list of links. */
function Contents({ markdown }: { markdown: string }) {
  const heads = [...markdown.matchAll(/^## (.+)$/gm)].map(([, text = '']) => text)
  return (
    <nav aria-label="On this page" className="my-4 flex flex-wrap gap-x-4 gap-y-1 border-y py-3 text-table">
      {heads.map((text) => (
        <a key={text} href={`#${slugOf(text)}`} className="text-accent underline-offset-2 hover:underline">
          {text}
        </a>
      ))}
    </nav>
  )
}

/** A Markdown document of ours as a page, drawn on the server: no script comes with it. */
export function Document({ markdown }: { markdown: string }) {
  const [head = '', ...rest] = markdown.split(/\n(?=## )/)
  return (
    <article>
      <Markdown remarkPlugins={[remarkGfm]} components={COMPONENTS}>
        {head}
      </Markdown>
      <Contents markdown={markdown} />
      <Markdown remarkPlugins={[remarkGfm]} components={COMPONENTS}>
        {rest.join('\n')}
      </Markdown>
    </article>
  )
}
