import { CopyBox } from '../ui/copy'
import { Tabs } from '../ui/tabs'
import { callCurl, callPython, callTypescript } from './call-code'
import type { FirstCall } from './first-call'

type Props = { baseUrl: string; secret: string | null; call: FirstCall }

/** A call in three languages and its cost. Without a secret they read it from TOLLGATE_KEY. */
export const CallSnippets = (of: Props) => (
  <>
    <Tabs
      label="REST"
      tabs={[
        { id: 'curl', label: 'curl', body: <CopyBox label="curl" code={callCurl(of)} /> },
        { id: 'typescript', label: 'TypeScript', body: <CopyBox label="TypeScript" code={callTypescript(of)} /> },
        { id: 'python', label: 'Python', body: <CopyBox label="Python" code={callPython(of)} /> },
      ]}
    />
    {of.call.cost && <p className="mt-2 text-caption text-muted">{of.call.cost}</p>}
  </>
)
