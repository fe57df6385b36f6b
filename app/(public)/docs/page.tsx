import type { Metadata } from 'next'
import { Document } from '@/components/docs/document'
import { server } from '../../server'

export const metadata: Metadata = { title: 'API' }

export default async function DocsPage() {
  const catalog = await server().publicCaller().public.catalog({ format: 'md' })
  return (
    <main className="mx-auto w-full max-w-[1000px] px-5 py-8">
      <Document markdown={String(catalog)} />
    </main>
  )
}
