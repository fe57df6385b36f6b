import type { MetadataRoute } from 'next'
import { connection } from 'next/server'
import { server } from './server'

export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  // Guides, tools and operations are those of an instance that runs.
  await connection()
  const { visitor } = server().publicCaller()
  const [guides, tools, operations] = await Promise.all([visitor.guides(), visitor.tools(), server().readReference()])
  const paths = [
    ...['/', '/docs', '/docs/reference', '/docs/tools', '/docs/api', '/docs/changelog'],
    ...guides.map(({ slug }) => `/docs/${slug}`),
    ...tools.map(({ id }) => `/docs/tools/${id}`),
    ...operations.map(({ id }) => `/docs/reference/${id}`),
  ]
  return paths.map((path) => ({ url: server().publicUrl() + path }))
}
