import type { ReactNode } from 'react'
import { loadLibrarySite } from '../../../load'

type Props = { params: Promise<{ slug: string }>; children: ReactNode }

/** Loads the site before anything is sent: a page that streams can be no 404 any more. */
export default async function SiteLayout({ params, children }: Props) {
  await loadLibrarySite((await params).slug)
  return children
}
