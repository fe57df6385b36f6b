import type { ReactNode } from 'react'
import { loadRun } from '../../operators-api'

type Props = { params: Promise<{ jobId: string }>; children: ReactNode }

/** Loads the run before anything is sent: a page that streams can no longer be 404. */
export default async function OperatorRunLayout({ params, children }: Props) {
  await loadRun((await params).jobId)
  return children
}
