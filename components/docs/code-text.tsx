import { cn } from '../ui/cn'

/** Code as it is written; long lines and long responses scroll. */
export const CodeText = ({ code, isResponse = false }: { code: string; isResponse?: boolean }) => (
  <pre
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    tabIndex={0}
    className={cn('overflow-auto p-3 font-mono text-caption leading-5', isResponse && 'max-h-96')}
  >
    <code>{code}</code>
  </pre>
)
