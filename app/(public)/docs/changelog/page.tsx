import type { Metadata } from 'next'
import { Document } from '@/components/docs/document'
import { server } from '../../../server'

export const metadata: Metadata = {
  title: 'Changelog',
  alternates: { types: { 'text/markdown': '/docs/changelog.md' } },
}

export default async function ChangelogPage() {
  return <Document markdown={await server().publicCaller().visitor.changelog()} />
}
