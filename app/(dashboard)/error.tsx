'use client'

import { PageError } from '@/components/shell/page-error'

export default function ErrorPage({ error }: { error: Error & { digest?: string } }) {
  return <PageError digest={error.digest} />
}
