import type { OfferedModel } from '@/server/models/shape'
import { CopyBox } from '../ui/copy'
import { Tabs } from '../ui/tabs'
import { chatCurl, chatPython, chatTypescript, MEDIA_TOOLS, mediaCurl, sampleChat } from './snippets'

type Props = { of: OfferedModel; baseUrl: string; tools: readonly string[] }

/** A call of the model as code. `tools`: the media tools that are available here. */
export function ModelSnippets({ of: { id: model, kind }, baseUrl, tools }: Props) {
  if (kind !== 'chat') {
    const tool = MEDIA_TOOLS[kind]
    if (!tools.includes(tool)) return <p className="text-muted">No tool for this kind of model is available here.</p>
    return <CopyBox narrow label="curl" code={mediaCurl({ baseUrl, model }, tool)} />
  }
  return (
    <Tabs
      label="Calls"
      tabs={[
        {
          id: 'curl',
          label: 'curl',
          body: <CopyBox narrow label="curl" code={chatCurl(baseUrl, sampleChat(model))} />,
        },
        {
          id: 'typescript',
          label: 'TypeScript',
          body: <CopyBox narrow label="TypeScript" code={chatTypescript({ baseUrl, model })} />,
        },
        {
          id: 'python',
          label: 'Python',
          body: <CopyBox narrow label="Python" code={chatPython({ baseUrl, model })} />,
        },
      ]}
    />
  )
}
