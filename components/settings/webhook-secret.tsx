'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { May, RoleNote } from '../shell/role'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { CopyBox } from '../ui/copy'
import { Notice } from '../ui/page'
import { ExactTime, TimeAgo } from '../ui/time-ago'
import type { WebhookSecretView } from './shape'

const OVERLAP_HOURS = 24

/** The secret that signs what callback URLs get: hidden until it is asked for, and rotated here. */
export function WebhookSecret({ first }: { first: WebhookSecretView }) {
  const [current, setCurrent] = useState(first)
  const [isShown, setShown] = useState(false)
  const [isConfirming, setConfirming] = useState(false)
  const rotate = useMutation(
    useTRPC().settings.rotateWebhookSecret.mutationOptions({
      onSuccess: (next) => {
        setCurrent(next)
        setShown(true)
        setConfirming(false)
      },
    }),
  )
  const isOverlap = current.previousUntil !== null
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="text-muted">
        Signs every request to a <span className="num">callbackUrl</span> of your runs. Receivers verify it as{' '}
        <a href="/docs/schedules-and-webhooks#webhooks" className="text-accent underline underline-offset-2">
          the documentation shows
        </a>
        . Made <TimeAgo at={current.createdAt} />.
      </p>
      {isShown ? (
        <CopyBox code={current.secret} label="Signing secret" />
      ) : (
        <div>
          <Button size="small" onClick={() => setShown(true)}>
            Show signing secret
          </Button>
        </div>
      )}
      {current.previousUntil && (
        <Notice tone="warn">
          The secret before this one signs too, until <ExactTime at={current.previousUntil} />.
        </Notice>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {isConfirming ? (
          <>
            <span className="text-table">
              {isOverlap
                ? 'Make a new secret? The two that sign now stop at once.'
                : `Make a new secret? Both sign for ${OVERLAP_HOURS} hours.`}
            </span>
            <Button
              size="small"
              kind="destroy"
              busy={rotate.isPending}
              onClick={() => rotate.mutate({ overlapHours: isOverlap ? 0 : OVERLAP_HOURS })}
            >
              Rotate secret
            </Button>
            <Button size="small" onClick={() => setConfirming(false)}>
              Cancel
            </Button>
          </>
        ) : (
          <May
            to="settings.rotateWebhookSecret"
            otherwise={<RoleNote to="settings.rotateWebhookSecret" what="Rotating the secret" />}
          >
            <Button size="small" kind="danger" onClick={() => setConfirming(true)}>
              Rotate secret
            </Button>
          </May>
        )}
      </div>
      <ActionError
        error={rotate.error}
        kept="The secret is unchanged."
        unsure="Reload the page to see the current secret."
      />
    </div>
  )
}
