import './globals.css'
import type { Metadata, Viewport } from 'next'
import { cookies, headers } from 'next/headers'
import type { ReactNode } from 'react'
import { EARLY_EVENTS_SCRIPT } from '@/components/shell/early-events'
import { parseTheme } from '@/components/shell/theme'
import { inter } from './fonts'

export const metadata: Metadata = {
  title: { default: 'Tollgate', template: '%s · Tollgate' },
  description: 'One key, one credit balance, a receipt for every call.',
}

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f7f8f8' },
    { media: '(prefers-color-scheme: dark)', color: '#0d1113' },
  ],
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = parseTheme((await cookies()).get('theme')?.value)
  return (
    <html
      lang="en"
      className={inter.variable}
      data-theme={theme === 'system' ? undefined : theme}
      suppressHydrationWarning
    >
      <head>
        {/* Next sends metadata later; until then browsers would request /favicon.ico. */}
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <script
          // First, by which public pages find it: server/cli/web/without-next.ts
          data-early=""
          nonce={(await headers()).get('x-tollgate-nonce') ?? undefined}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a text of this code
          dangerouslySetInnerHTML={{ __html: EARLY_EVENTS_SCRIPT }}
          suppressHydrationWarning
        />
      </head>
      <body>{children}</body>
    </html>
  )
}
