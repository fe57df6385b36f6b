import type { ReactNode } from 'react'
import { loadSite } from '../../../load'

type Props = { params: Promise<{ slug: string }>; children: ReactNode }

/** Loads the site before anything is sent: a page that streams can be no 404 any more. */
export default async function SiteLayout({ params, children }: Props) {
  await loadSite((await params).slug)
  return children
}
