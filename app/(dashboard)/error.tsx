'use client'

import { useRouter } from 'next/navigation'
import { startTransition } from 'react'
import { Failure } from '@/components/shell/failure'

export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const router = useRouter()
  const retry = () =>
    startTransition(() => {
      router.refresh()
      reset()
    })
  return <Failure digest={error.digest} retry={retry} />
}
