import type { GuideBlock } from '@/server/guides/shape'
import { Island } from '../islands/island'
import { Markdown } from '../ui/markdown'
import { CodeExample } from './code-example'

const LABELS: Record<string, string> = {
  sh: 'Shell',
  ts: 'TypeScript',
  js: 'JavaScript',
  py: 'Python',
  json: 'JSON',
  sql: 'SQL',
  nginx: 'nginx',
  toml: 'TOML',
  yaml: 'YAML',
}

const labelOf = (language: string) => LABELS[language] ?? (language || 'Text')

function CodeBlock({ id, examples, response }: Extract<GuideBlock, { kind: 'code' }> & { id: string }) {
  const variants = examples.map(({ language, code, tab }) => ({
    label: tab ?? labelOf(language),
    code,
  }))
  return <Island name="CodeExample" of={CodeExample} props={{ id, variants, response: response?.code }} />
}

/** The text of a guide. */
export const GuideView = ({ blocks }: { blocks: readonly GuideBlock[] }) => (
  <>
    {blocks.map((block, at) =>
      block.kind === 'text' ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a guide never change places
        <Markdown key={at} trusted text={block.markdown} />
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a guide never change places
        <CodeBlock key={at} id={`example-${at}`} {...block} />
      ),
    )}
  </>
)
