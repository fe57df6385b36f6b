import { CreditsLink, needsCredits } from './credits-link'
import { Notice } from './page'

type Props = {
  error: { message: string; data?: unknown } | null
  /** What is unchanged after a refusal. */
  kept: string
  /** What to check when the response was lost and the outcome is unknown. */
  unsure: string
}

/** Why an action failed. An error without data is a lost connection. */
export const ActionError = ({ error, kept, unsure }: Props) =>
  error && (
    <Notice tone="bad">
      {error.data
        ? `${error.message} ${kept}`
        : `The service could not be reached, or its response was lost. ${unsure}`}
      {needsCredits(error) && (
        <>
          {' '}
          <CreditsLink />
        </>
      )}
    </Notice>
  )
