import type { Metadata } from 'next'
import Link from 'next/link'
import { ManagementForm } from '@/components/keys/management-form'
import { Title } from '@/components/ui/page'
import { dashboardApi } from '../../dashboard-api'

export const metadata: Metadata = { title: 'New management key' }

export default async function NewManagementKeyPage() {
  const api = await dashboardApi()
  const [options, me] = await Promise.all([api.keys.options(), api.account.me()])
  return (
    <>
      <Title
        title="New management key"
        note={
          <>
            For a program that makes keys for others. It calls no tool, model or agent.{' '}
            <Link href="/docs/manage-keys" className="text-accent underline underline-offset-2">
              Manage keys by API
            </Link>
          </>
        }
      />
      <ManagementForm options={options} baseUrl={me.baseUrl} creditsPerUsd={me.creditsPerUsd} />
    </>
  )
}
