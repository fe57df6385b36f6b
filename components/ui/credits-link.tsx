import Link from 'next/link'
import { MayOpen } from '../shell/role'

/** True for the service's refusal of what the credits do not pay for. */
export const needsCredits = (error: unknown): boolean => Object(Object(error).data).appCode === 'insufficient_credits'

/** Where one sees what is left and gets more: after every such refusal. */
export const CreditsLink = () => (
  <MayOpen as="billing" otherwise="Ask whoever pays for this account for credits.">
    <Link href="/credits" prefetch={false} className="whitespace-nowrap underline underline-offset-2">
      See your credits
    </Link>
  </MayOpen>
)
