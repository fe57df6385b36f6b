'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { stepHref } from '../jobs/step-link'
import { useTRPC } from '../trpc'

const LINK = 'text-accent underline underline-offset-2'

/** The job that a call was a step of, and its other calls. */
export function ReceiptJob({ requestId, jobId }: { requestId: string; jobId: string }) {
  const { data } = useQuery(useTRPC().usage.step.queryOptions({ requestId }, { staleTime: 60_000 }))
  const step = data?.step ?? null
  return (
    <>
      <Link href={step === null ? `/jobs/${jobId}` : stepHref(jobId, step)} className={LINK}>
        {data?.title ?? 'Open the job'}
        {step !== null && `, step ${step}`}
      </Link>{' '}
      <Link href={`/usage?job=${jobId}`} className={`whitespace-nowrap ${LINK}`}>
        all its calls
      </Link>
    </>
  )
}
