import Link from 'next/link'

/** True for the service's refusal of what the credits do not pay for. */
export const needsCredits = (error: unknown): boolean => Object(Object(error).data).appCode === 'insufficient_credits'

/** Where one sees what is left and gets more: after every such refusal. */
export const CreditsLink = () => (
  <Link href="/credits" prefetch={false} className="whitespace-nowrap underline underline-offset-2">
    See your credits
  </Link>
)
