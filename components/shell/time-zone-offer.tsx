'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { useBrowserTimeZone, useTimeZone } from '../ui/time-zone'

/**
 * A new account takes the time zone of its first browser. Whoever has an account whose days begin
 * in UTC because nobody has said otherwise is asked once.
 */
export function TimeZoneOffer() {
  const router = useRouter()
  const account = useTRPC().account
  const [zone, here] = [useTimeZone(), useBrowserTimeZone()]
  const onSuccess = () => router.refresh()
  const adopt = useMutation(
    account.adoptTimeZone.mutationOptions({ onSuccess: (became) => became === 'set' && onSuccess() }),
  )
  const choose = useMutation(account.setTimeZone.mutationOptions({ onSuccess }))
  const { mutate, data } = adopt
  const isOther = zone === 'UTC' && here !== null && !/^(Etc\/)?(UTC|UCT|Zulu|Universal)$/.test(here)
  useEffect(() => {
    if (isOther) mutate({ timeZone: here })
  }, [isOther, here, mutate])
  if (!isOther || data !== 'ask' || choose.isSuccess) return null
  const name = here.replaceAll('_', ' ')
  return (
    <section aria-label="Time zone" className="mb-6 grid max-w-[1200px] gap-2 rounded border bg-raised px-4 py-3">
      <p>
        Your days, and the budgets of days, weeks and months, begin at midnight UTC. This browser is in {name}.{' '}
        <span className="text-muted">Budgets that have begun end as planned.</span>
      </p>
      <ActionError error={choose.error} kept="Nothing was changed." unsure="Reload the page to see the time zone." />
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" busy={choose.isPending} onClick={() => choose.mutate({ timeZone: here })}>
          Use {name}
        </Button>
        <Button disabled={choose.isPending} onClick={() => choose.mutate({ timeZone: 'UTC' })}>
          Keep UTC
        </Button>
      </div>
    </section>
  )
}
