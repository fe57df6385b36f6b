import { useState } from 'react'
import { CopyBox } from '../ui/copy'
import { Tabs } from '../ui/tabs'
import { type RequestCode, requestCurl, requestJavascript, requestPython } from './code'

/** The next request as code; written only while it is open. */
export function CopyAsCode({ code }: { code: () => RequestCode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="min-w-0" onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary className="mb-2 text-table font-medium">Copy as code</summary>
      {isOpen && <Languages of={code()} />}
    </details>
  )
}

const Languages = ({ of }: { of: RequestCode }) => (
  <Tabs
    label="Languages"
    tabs={[
      { id: 'curl', label: 'curl', body: <CopyBox narrow label="curl" code={requestCurl(of)} /> },
      {
        id: 'javascript',
        label: 'JavaScript',
        body: <CopyBox narrow label="JavaScript" code={requestJavascript(of)} />,
      },
      { id: 'python', label: 'Python', body: <CopyBox narrow label="Python" code={requestPython(of)} /> },
    ]}
  />
)
