import { CopyBox } from '../ui/copy'
import { Tabs } from '../ui/tabs'
import { type ChatCode, chatRequestCurl, chatRequestJavascript, chatRequestPython } from './code'

/** A request in each language. */
export const CodeLanguages = ({ of }: { of: ChatCode }) => (
  <Tabs
    label="Languages"
    tabs={[
      { id: 'curl', label: 'curl', body: <CopyBox narrow label="curl" code={chatRequestCurl(of)} /> },
      {
        id: 'javascript',
        label: 'JavaScript',
        body: <CopyBox narrow label="JavaScript" code={chatRequestJavascript(of)} />,
      },
      { id: 'python', label: 'Python', body: <CopyBox narrow label="Python" code={chatRequestPython(of)} /> },
    ]}
  />
)
