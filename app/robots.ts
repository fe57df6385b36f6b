import type { MetadataRoute } from 'next'
import { connection } from 'next/server'
import { server } from './server'

export default async function robots(): Promise<MetadataRoute.Robots> {
  // The address of an instance is known when it runs.
  await connection()
  return {
    rules: { userAgent: '*', allow: '/', disallow: ['/api/', '/files/', '/authorize', '/shared/'] },
    sitemap: `${server().publicUrl()}/sitemap.xml`,
  }
}
