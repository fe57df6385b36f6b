import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { SharedRunView } from '@/components/jobs/shared-run-view'
import { server } from '../../../server'

export const metadata: Metadata = {
  title: 'A shared result',
  robots: { index: false, follow: false },
  // The address is the permission to read it.
  referrer: 'no-referrer',
}

const loadRun = cache(async (token: string) => (await server().publicCaller().visitor.sharedRun(token)) ?? notFound())

export default async function SharedRunPage({ params }: { params: Promise<{ token: string }> }) {
  return <SharedRunView run={await loadRun((await params).token)} />
}
