'use client'

import './globals.css'
import { Failure } from '@/components/shell/failure'

export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en">
      <body>
        <Failure digest={error.digest} />
      </body>
    </html>
  )
}
