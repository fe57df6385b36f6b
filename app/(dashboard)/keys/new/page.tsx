import type { Metadata } from 'next'
import { KeyForm } from '@/components/keys/key-form'
import { Title } from '@/components/ui/page'
import { dashboardApi } from '../../dashboard-api'

export const metadata: Metadata = { title: 'New key' }

export default async function NewKeyPage() {
  const api = await dashboardApi()
  const [options, me] = await Promise.all([api.keys.options(), api.account.me()])
  return (
    <>
      <Title title="New key" note="The secret is shown once, after the key is created." />
      <KeyForm options={options} baseUrl={me.baseUrl} creditsPerUsd={me.creditsPerUsd} />
    </>
  )
}
