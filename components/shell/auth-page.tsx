import type { ReactNode } from 'react'
import type { IdentityProviderChoice } from '@/server/accounts/shape'
import { Button } from '../ui/button'

type Props = {
  title: string
  providers: IdentityProviderChoice[]
  onProvider: (form: FormData) => Promise<void>
  next: string
  /** The provider is to have whoever is there sign in anew. */
  isAnew?: boolean
  foot: ReactNode
  children: ReactNode
}

/** The sign-in or sign-up page: the form, the providers, and a link to the other page. */
export const AuthPage = ({ title, providers, onProvider, next, isAnew, foot, children }: Props) => (
  <main className="mx-auto grid w-full max-w-[360px] content-start gap-5 px-5 py-[12vh]">
    <h1 className="text-title font-semibold tracking-tight">{title}</h1>
    {children}
    {providers.length > 0 && (
      <form action={onProvider} className="grid gap-2 border-t pt-5">
        <input type="hidden" name="next" value={next} />
        {isAnew && <input type="hidden" name="anew" value="1" />}
        {providers.map(({ id, name }) => (
          <Button key={id} type="submit" name="provider" value={id}>
            Continue with {name}
          </Button>
        ))}
      </form>
    )}
    <p className="text-muted">{foot}</p>
  </main>
)
