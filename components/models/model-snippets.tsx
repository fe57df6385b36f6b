import type { OfferedModel } from '@/server/models/shape'
import { CopyBox } from '../ui/copy'
import { Tabs } from '../ui/tabs'
import {
  chatCurl,
  chatPython,
  chatTypescript,
  embeddingCurl,
  embeddingPython,
  embeddingTypescript,
  MEDIA_TOOLS,
  mediaCurl,
  sampleChat,
} from './snippets'

const LABELS = { curl: 'curl', typescript: 'TypeScript', python: 'Python' }

type Props = { of: OfferedModel; baseUrl: string; tools: readonly string[] }

/** A call of the model as code. `tools`: the media tools that are available here. */
export function ModelSnippets({ of: { id: model, kind }, baseUrl, tools }: Props) {
  const of = { baseUrl, model }
  if (kind === 'image' || kind === 'video') {
    const tool = MEDIA_TOOLS[kind]
    if (!tools.includes(tool)) return <p className="text-muted">No tool for this kind of model is available here.</p>
    return <CopyBox narrow label="curl" code={mediaCurl(of, tool)} />
  }
  const calls =
    kind === 'chat'
      ? { curl: chatCurl(baseUrl, sampleChat(model)), typescript: chatTypescript(of), python: chatPython(of) }
      : { curl: embeddingCurl(of), typescript: embeddingTypescript(of), python: embeddingPython(of) }
  return (
    <Tabs
      label="Calls"
      tabs={(['curl', 'typescript', 'python'] as const).map((id) => ({
        id,
        label: LABELS[id],
        body: <CopyBox narrow label={LABELS[id]} code={calls[id]} />,
      }))}
    />
  )
}
