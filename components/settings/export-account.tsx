'use client'

import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'

/** Downloads what is stored of the account, once whoever is signed in has shown who they are. */
export function ExportAccount() {
  const confirm = useMutation(
    useTRPC().security.confirm.mutationOptions({
      onSuccess: () => window.location.assign('/settings/account/export'),
    }),
  )
  return (
    <div className="grid justify-items-start gap-3">
      <p className="max-w-prose text-muted">
        A ZIP with your profile, keys without their secrets, ledger, receipts, request log, jobs with their steps,
        datasets, schedules, webhook deliveries, the list of your files and sites, and the audit log. At most 5 an hour.
      </p>
      <ActionError error={confirm.error} kept="Nothing was exported." unsure="Try again." />
      <Button busy={confirm.isPending} onClick={() => confirm.mutate()}>
        <Download className="size-4" aria-hidden />
        Export data
      </Button>
    </div>
  )
}
