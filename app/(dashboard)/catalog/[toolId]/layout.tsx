import type { ReactNode } from 'react'
import { loadTool } from '../../load'

type Props = { params: Promise<{ toolId: string }>; children: ReactNode }

/** Looks before anything is sent whether there is such a tool: once a page streams, its status can no longer be 404. */
export default async function ToolLayout({ params, children }: Props) {
  await loadTool((await params).toolId)
  return children
}
