import { Notice } from './page'

type Props = {
  error: { message: string; data?: unknown } | null
  /** What the refusal left as it was. */
  kept: string
  /** What to look at when no answer came, so that nobody knows. */
  unsure: string
}

/** Why an act failed. An error without data is not the service's: the answer, or the question, was lost on the way. */
export const ActionError = ({ error, kept, unsure }: Props) =>
  error && (
    <Notice tone="bad">
      {error.data ? `${error.message} ${kept}` : `The service could not be reached, or its answer was lost. ${unsure}`}
    </Notice>
  )
