import Link from 'next/link'
import { formatCredits } from './amount'

/** Below a list that is cut: how many are missing, and where all of them are. */
export const MoreRows = ({ count, href, of }: { count: number; href: string; of?: string }) =>
  count > 0 ? (
    <p className="mt-2 text-table">
      <Link href={href} className="text-accent underline underline-offset-2">
        and {formatCredits(count)} more{of && ` ${of}`}
      </Link>
    </p>
  ) : null
