import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import { loadOwner } from '../../operators-api'

type Props = { params: Promise<{ ownerId: string }>; children: ReactNode }

/** Loads the owner before anything is sent: a page that streams can no longer be 404. */
export default async function OperatorOwnerLayout({ params, children }: Props) {
  const { ownerId } = await params
  if (!/^[1-9]\d{0,9}$/.test(ownerId)) notFound()
  await loadOwner(Number(ownerId))
  return children
}
