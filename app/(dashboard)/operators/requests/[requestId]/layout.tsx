import type { ReactNode } from 'react'
import { loadRequest } from '../../operators-api'

type Props = { params: Promise<{ requestId: string }>; children: ReactNode }

/** Loads the request before anything is sent: a page that streams can no longer be 404. */
export default async function OperatorRequestLayout({ params, children }: Props) {
  await loadRequest((await params).requestId)
  return children
}
