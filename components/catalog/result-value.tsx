import { formatCredits as formatCount } from '../ui/amount'
import { cn } from '../ui/cn'
import { ExternalLink } from '../ui/external-link'
import { TimeAgo } from '../ui/time-ago'
import type { Scalar } from './result-shape'

/** A moment in time as our tools write it; a date alone stays as it is. */
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/
const MAX_URL_CHARS = 48

const isAddress = (text: string) => /^https?:\/\/\S+$/.test(text) && URL.canParse(text)

/** An address without what every address has. */
function shortAddress(text: string): string {
  const { host, pathname, search } = new URL(text)
  const short = `${host.replace(/^www\./, '')}${pathname === '/' ? '' : pathname}${search}`
  return short.length > MAX_URL_CHARS ? `${short.slice(0, MAX_URL_CHARS - 1)}…` : short
}

const numberText = (value: number) =>
  Number.isSafeInteger(value) && Math.abs(value) >= 10_000 ? formatCount(value) : String(value)

type Props = {
  of: Scalar | undefined
  /** In a cell: the beginning of a long text. */
  isShort?: boolean
}

/** A value of a result: an address as a link, a moment as a time, a number with separators. */
export function ResultValue({ of, isShort = false }: Props) {
  if (of === undefined) return <span className="text-muted">–</span>
  if (typeof of === 'boolean') return of ? 'Yes' : 'No'
  if (typeof of === 'number') return <span className="num whitespace-nowrap">{numberText(of)}</span>
  if (MOMENT.test(of) && !Number.isNaN(Date.parse(of))) return <TimeAgo at={of} />
  return (
    <bdi className={cn('wrap-anywhere', isShort ? 'line-clamp-3' : 'whitespace-pre-wrap')}>
      {isAddress(of) ? <ExternalLink href={of}>{isShort ? shortAddress(of) : of}</ExternalLink> : of}
    </bdi>
  )
}
