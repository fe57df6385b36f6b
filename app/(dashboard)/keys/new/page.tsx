import type { Metadata } from 'next'
import { namedClients } from '@/components/connect/connect-clients'
import { DEFAULT_KEY_VALUES, valuesLikeKey } from '@/components/keys/form-values'
import { KeyForm } from '@/components/keys/key-form'
import { presetNamed } from '@/components/keys/presets'
import { Title } from '@/components/ui/page'
import { nullIfRefused } from '../../../or-not-found'
import { dashboardApi } from '../../dashboard-api'

export const metadata: Metadata = { title: 'New key' }

type Props = { searchParams: Promise<{ from?: string | string[]; for?: string | string[] }> }

export default async function NewKeyPage({ searchParams }: Props) {
  const { from: liked, for: purpose } = await searchParams
  const from = Number(liked)
  const preset = presetNamed(purpose)
  const api = await dashboardApi()
  const [options, me, timeZone, like] = await Promise.all([
    api.keys.options(),
    api.account.me(),
    api.account.timeZone(),
    from > 0 ? nullIfRefused(api.keys.get({ id: from }), 'not_found', 'invalid_request') : null,
  ])
  return (
    <>
      <Title
        title={
          like ? (
            <>
              New key like <bdi className="wrap-anywhere">{like.name}</bdi>
            </>
          ) : (
            'New key'
          )
        }
        note="The secret is shown once, after the key is created."
      />
      <KeyForm
        options={options}
        baseUrl={me.baseUrl}
        creditsPerUsd={me.creditsPerUsd}
        clients={namedClients()}
        first={like ? valuesLikeKey(like, timeZone) : { ...DEFAULT_KEY_VALUES, ...preset?.values }}
      />
    </>
  )
}
