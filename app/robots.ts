import type { MetadataRoute } from 'next'
import { server } from './server'

/** The address of an instance is known when it runs. */
export const dynamic = 'force-dynamic'

export default function robots(): MetadataRoute.Robots {
  return {
    rules: { userAgent: '*', allow: '/', disallow: ['/api/', '/files/', '/authorize'] },
    sitemap: `${server().publicUrl()}/sitemap.xml`,
  }
}
