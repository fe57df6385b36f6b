import type { ReactNode } from 'react'
import { loadTool } from '../../load'

type Props = { params: Promise<{ toolId: string }>; children: ReactNode }

/** Loads the tool before anything is sent: once a page streams, its status can no longer be 404. */
export default async function ToolLayout({ params, children }: Props) {
  await loadTool((await params).toolId)
  return children
}
