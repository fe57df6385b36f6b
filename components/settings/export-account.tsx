import { Download } from 'lucide-react'
import { ButtonLink } from '../ui/button'

/** Downloads what is stored of the account. */
export const ExportAccount = () => (
  <div className="grid justify-items-start gap-3">
    <p className="max-w-prose text-muted">
      A ZIP with your profile, keys without their secrets, ledger, receipts, request log, jobs with their steps,
      datasets, schedules, webhook deliveries, the list of your files and sites, and the audit log. At most 5 an hour.
    </p>
    <ButtonLink href="/settings/account/export" prefetch={false} download>
      <Download className="size-4" aria-hidden />
      Export data
    </ButtonLink>
  </div>
)
