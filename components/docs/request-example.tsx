import { Island } from '../islands/island'
import { CodeExample } from './code-example'
import { type RequestCode, requestCurl, requestPython, requestTypescript } from './request-code'

/** A request in three languages; `more` are further ways to say the same. */
export function RequestExample({
  request,
  more = [],
}: {
  request: RequestCode
  more?: [label: string, code: string][]
}) {
  const written: [string, string][] = [
    ['curl', requestCurl(request)],
    ['TypeScript', requestTypescript(request)],
    ['Python', requestPython(request)],
    ...more,
  ]
  const variants = written.map(([label, code]) => ({ label, code }))
  return <Island name="CodeExample" of={CodeExample} props={{ id: 'request', variants }} />
}
