import { chatCurl, chatPython, chatTypescript, sampleChat } from '../models/snippets'
import { CopyBox } from '../ui/copy'
import { Tabs } from '../ui/tabs'

/** A chat completion with curl and with the openai packages; the key is read from TOLLGATE_KEY. */
export const ChatSnippets = ({ baseUrl, model }: { baseUrl: string; model: string }) => (
  <Tabs
    label="Chat"
    tabs={[
      { id: 'curl', label: 'curl', body: <CopyBox label="curl" code={chatCurl(baseUrl, sampleChat(model))} /> },
      {
        id: 'typescript',
        label: 'TypeScript (openai)',
        body: <CopyBox label="TypeScript" code={chatTypescript({ baseUrl, model })} />,
      },
      {
        id: 'python',
        label: 'Python (openai)',
        body: <CopyBox label="Python" code={chatPython({ baseUrl, model })} />,
      },
    ]}
  />
)
