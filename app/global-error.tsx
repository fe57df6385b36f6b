'use client'

import './globals.css'
import { PageError } from '@/components/shell/page-error'

export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en">
      <body>
        <PageError digest={error.digest} />
      </body>
    </html>
  )
}
