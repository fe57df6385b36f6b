import Link from 'next/link'

/** The run that made something. */
export const MadeBy = ({ jobId, what }: { jobId: string | null; what: string }) =>
  jobId ? (
    <Link
      href={`/jobs/${jobId}`}
      prefetch={false}
      aria-label={`The run that made ${what}`}
      className="relative z-[1] text-accent underline underline-offset-2"
    >
      Run
    </Link>
  ) : (
    <span className="text-muted">None</span>
  )
