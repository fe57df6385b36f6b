import type { Metadata } from 'next'
import Link from 'next/link'
import { namedClients } from '@/components/connect/connect-clients'
import { EditKeyForm } from '@/components/keys/edit-key-form'
import { secretHint } from '@/components/keys/scopes'
import { Notice, Title } from '@/components/ui/page'
import { dashboardApi } from '../../../dashboard-api'
import { loadKey } from '../../../load'

export const metadata: Metadata = { title: 'Edit key' }

export default async function EditKeyPage({ params }: { params: Promise<{ keyId: string }> }) {
  const id = Number((await params).keyId)
  const api = await dashboardApi()
  const [key, options, me] = await Promise.all([loadKey(id), api.keys.options(), api.account.me()])
  return (
    <>
      <Title
        title={
          <>
            Edit <bdi className="wrap-anywhere">{key.name}</bdi>
          </>
        }
        note={<span className="num">{secretHint(key, key.last4)}</span>}
      />
      {key.state === 'revoked' ? (
        <Notice tone="warn">
          This key is revoked, so it cannot be changed.{' '}
          <Link href={`/keys/new?from=${id}`} className="underline underline-offset-2">
            Make a new one like it
          </Link>
          .
        </Notice>
      ) : (
        <EditKeyForm of={key} options={options} creditsPerUsd={me.creditsPerUsd} clients={namedClients()} />
      )}
    </>
  )
}
