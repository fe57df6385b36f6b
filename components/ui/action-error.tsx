import { useState } from 'react'
import { useConnection } from '../shell/connection'
import { CreditsLink, needsCredits } from './credits-link'
import { Notice } from './page'

type Props = {
  error: { message: string; data?: unknown } | null
  /** What is unchanged after a refusal. */
  kept: string
  /** What to check when the response was lost and the outcome is unknown. */
  unsure: string
}

/** A lost response. While the page says that the server is away, a second alert would repeat it. */
function LostResponse({ unsure }: { unsure: string }) {
  const connection = useConnection()
  const [isSaid] = useState(connection === 'offline' || connection === 'away')
  return isSaid ? (
    <Notice tone="warn">This may not have reached the service. {unsure}</Notice>
  ) : (
    <Notice tone="bad">The service could not be reached, or its response was lost. {unsure}</Notice>
  )
}

/** Why an action failed. An error without data is a lost connection. */
export const ActionError = ({ error, kept, unsure }: Props) =>
  error &&
  (!error.data ? (
    <LostResponse unsure={unsure} />
  ) : (
    <Notice tone="bad">
      {error.message} {kept}
      {needsCredits(error) && (
        <>
          {' '}
          <CreditsLink />
        </>
      )}
    </Notice>
  ))
