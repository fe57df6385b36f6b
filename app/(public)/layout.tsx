import type { Metadata } from 'next'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { LogoWithName } from '@/components/shell/logo'
import { ButtonLink } from '@/components/ui/button'
import { server } from '../server'
import { currentSession } from '../session'

/** How links to these pages look elsewhere. */
export function generateMetadata(): Metadata {
  const images = [
    { url: '/images/overview-light.webp', width: 1920, height: 1200, alt: 'The overview of the dashboard' },
  ]
  return { metadataBase: new URL(server().publicUrl()), openGraph: { siteName: 'Tollgate', type: 'website', images } }
}

export default async function PublicLayout({ children }: { children: ReactNode }) {
  const session = await currentSession()
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-14 items-center justify-between border-b bg-raised px-5">
        <Link href="/">
          <LogoWithName />
        </Link>
        <nav aria-label="Site" className="flex items-center gap-2">
          <ButtonLink href="/docs" prefetch={false} size="small" kind="quiet">
            Docs
          </ButtonLink>
          {session ? (
            <ButtonLink href="/overview" size="small" kind="primary">
              Dashboard
            </ButtonLink>
          ) : (
            <ButtonLink href="/signin" size="small">
              Sign in
            </ButtonLink>
          )}
        </nav>
      </header>
      {children}
    </div>
  )
}
