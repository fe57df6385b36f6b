import type { Metadata } from 'next'
import { Document } from '@/components/docs/document'
import { server } from '../../../server'

export const metadata: Metadata = { title: 'The API on one page' }

export default async function ApiDocumentPage() {
  const catalog = await server().publicCaller().public.catalog({ format: 'md' })
  return <Document markdown={String(catalog)} />
}
