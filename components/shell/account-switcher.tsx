'use client'

import { useMutation } from '@tanstack/react-query'
import { useTRPC } from '../trpc'
import { Select } from '../ui/field'
import { forgetStored } from './recent'

type Props = { accounts: readonly { accountId: number; name: string }[]; current: number }

/** The account that is looked at, and the others of whoever is signed in. */
export function AccountSwitcher({ accounts, current }: Props) {
  const change = useMutation(
    useTRPC().members.switchAccount.mutationOptions({
      onSuccess: () => {
        forgetStored()
        window.location.assign('/overview')
      },
    }),
  )
  return (
    <Select
      aria-label="Account"
      value={change.variables?.accountId ?? current}
      disabled={change.isPending}
      onChange={(event) => change.mutate({ accountId: Number(event.target.value) })}
      className="max-w-40 max-sm:max-w-24"
    >
      {accounts.map(({ accountId, name }) => (
        <option key={accountId} value={accountId}>
          {name}
        </option>
      ))}
    </Select>
  )
}
