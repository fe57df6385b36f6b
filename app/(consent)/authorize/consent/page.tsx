import type { Metadata } from 'next'
import { ConsentForm } from '@/components/consent/consent-form'
import { Notice, Title } from '@/components/ui/page'
import { TimeZoneProvider } from '@/components/ui/time-zone'
import { dashboardApi } from '../../../(dashboard)/dashboard-api'

export const metadata: Metadata = { title: 'Allow access' }

type Props = { searchParams: Promise<Record<string, string | string[]>> }

export default async function ConsentPage({ searchParams }: Props) {
  const request = await searchParams
  const api = await dashboardApi()
  const [asked, options, me, timeZone] = await Promise.all([
    api.consent.describe(request),
    api.keys.options(),
    api.account.me(),
    api.account.timeZone(),
  ])
  if (asked.kind === 'refused') {
    return (
      <>
        <Title title="This request is not valid" note="Nothing was allowed." />
        <Notice tone="bad">{asked.message}</Notice>
      </>
    )
  }
  return (
    <>
      <Title
        title={
          <>
            Allow <bdi>{asked.clientName}</bdi> to use your credits?
          </>
        }
        note="It gets a key of its own, with the limits you choose here."
      />
      <TimeZoneProvider value={timeZone}>
        <ConsentForm ask={asked} request={request} options={options} creditsPerUsd={me.creditsPerUsd} />
      </TimeZoneProvider>
    </>
  )
}
