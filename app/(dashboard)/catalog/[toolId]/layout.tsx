import type { ReactNode } from 'react'
import { orNotFound } from '../../../or-not-found'
import { ownerApi } from '../../owner-api'

type Props = { params: Promise<{ toolId: string }>; children: ReactNode }

/** Looks before anything is sent whether there is such a tool: once a page streams, its status can no longer be 404. */
export default async function ToolLayout({ params, children }: Props) {
  const { toolId } = await params
  const api = await ownerApi()
  await orNotFound(api.tools.get({ tool: toolId }))
  return children
}
