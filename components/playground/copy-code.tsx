import { useState } from 'react'
import { CopyBox } from '../ui/copy'
import { Tabs } from '../ui/tabs'
import { type ChatCode, chatRequestCurl, chatRequestJavascript, chatRequestPython } from './code'

/** The next request as code; written only while it is open. */
export function CopyAsCode({ code }: { code: () => ChatCode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="min-w-0" onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary className="mb-2 text-table font-medium">Copy as code</summary>
      {isOpen && <Languages of={code()} />}
    </details>
  )
}

const Languages = ({ of }: { of: ChatCode }) => (
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
