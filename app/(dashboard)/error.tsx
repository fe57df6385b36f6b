'use client'

import { Failure } from '@/components/shell/failure'

export default function ErrorPage({ error }: { error: Error & { digest?: string } }) {
  return <Failure digest={error.digest} />
}
