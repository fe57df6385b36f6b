import Link from 'next/link'
import { ButtonLink } from '../ui/button'
import { Card } from '../ui/page'

type Props = {
  topUp: { url: string | null; text: string | null }
  available: number
  isAdmin: boolean
}

const LINK = 'text-accent underline underline-offset-2'

/** How to get credits: as the operator says, else whom to ask. */
export const TopUp = ({ topUp: { url, text }, available, isAdmin }: Props) => (
  <Card className="grid content-start gap-3">
    {available === 0 && (
      <p className="font-medium text-warn">
        No credits are left: calls are refused with 402 until there are some. Nothing else is lost; a job that stopped
        for it can be continued.
      </p>
    )}
    {text && <p className="whitespace-pre-line">{text}</p>}
    {url && (
      <div>
        <ButtonLink kind="primary" href={url} prefetch={false}>
          Top up credits
        </ButtonLink>
      </div>
    )}
    {!text && !url && !isAdmin && (
      <p className="text-muted">Credits are granted by the operator of this service. Ask them for more.</p>
    )}
    {isAdmin && (
      <p className="text-muted">
        You operate this service: grant credits in{' '}
        <Link href="/operators" className={LINK}>
          Operators
        </Link>
        {!text && !url && ', and say with TOP_UP_URL or TOP_UP_TEXT how others get theirs'}.
      </p>
    )}
  </Card>
)
