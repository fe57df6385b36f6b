'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import type { IssuerLinkView } from './shape'

/** Whether somebody signs in through the issuer, too; what came from it can be linked. */
export function IssuerLinkSettings({ of: { name, isLinked, mayUnlink, offered } }: { of: IssuerLinkView }) {
  const router = useRouter()
  const trpc = useTRPC().issuer
  const link = useMutation(trpc.saveLink.mutationOptions({ onSuccess: () => router.refresh() }))
  const unlink = useMutation(trpc.removeLink.mutationOptions({ onSuccess: () => router.refresh() }))
  return (
    <div className="grid justify-items-start gap-3">
      {offered !== null && (
        <>
          <p className="max-w-prose">
            You came from {name} as <span className="font-medium [overflow-wrap:anywhere]">{offered}</span>. Link it to
            sign in with {name} from now on.
          </p>
          <Button kind="primary" busy={link.isPending} onClick={() => link.mutate()}>
            Link {name}
          </Button>
        </>
      )}
      {isLinked && (
        <p className="max-w-prose" role="status">
          You sign in with {name}.{!mayUnlink && ' It is your only way to sign in.'}
        </p>
      )}
      {isLinked && mayUnlink && (
        <Button size="small" kind="danger" busy={unlink.isPending} onClick={() => unlink.mutate()}>
          Unlink {name}
        </Button>
      )}
      {!isLinked && offered === null && (
        <p className="max-w-prose text-muted">
          To sign in with {name} as well, sign out and choose it on the sign-in page: its address must be the one of
          this account.
        </p>
      )}
      <ActionError
        error={link.error ?? unlink.error}
        kept="Nothing was changed."
        unsure="Reload the page to see how you sign in."
      />
    </div>
  )
}
