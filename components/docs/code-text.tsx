import { cn } from '../ui/cn'

type CodeTextProps = { code: string; isResponse?: boolean; wraps?: boolean }

/** Code as it is written; long lines scroll or wrap, and long responses scroll. */
export const CodeText = ({ code, isResponse = false, wraps = false }: CodeTextProps) => (
  <pre
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    tabIndex={0}
    className={cn(
      'overflow-auto p-3 font-mono text-caption leading-5',
      isResponse && 'max-h-96',
      wraps && 'whitespace-pre-wrap [overflow-wrap:anywhere]',
    )}
  >
    <code>{code}</code>
  </pre>
)
