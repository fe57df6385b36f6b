import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import { loadKey } from '../../load'

type Props = { params: Promise<{ keyId: string }>; children: ReactNode }

/** Loads the key before anything is sent: once a page streams, its status can no longer be 404. */
export default async function KeyLayout({ params, children }: Props) {
  const { keyId } = await params
  if (!/^[1-9]\d{0,9}$/.test(keyId) || Number(keyId) > 2 ** 31 - 1) notFound()
  await loadKey(Number(keyId))
  return children
}
