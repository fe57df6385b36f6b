import type { Metadata } from 'next'
import { cache } from 'react'
import { AboveTitle } from '@/components/docs/above-title'
import { Contents, headingsOf } from '@/components/docs/contents'
import { GuideView } from '@/components/docs/guide-view'
import { Neighbors } from '@/components/docs/neighbors'
import { orNotFound } from '../../../or-not-found'
import { server } from '../../../server'

type Props = { params: Promise<{ slug: string }> }

const loadGuide = cache(async (slug: string) => orNotFound(server().publicCaller().visitor.guide(slug)))

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { slug } = await params
  const { title, summary } = await loadGuide(slug)
  return { title, description: summary, alternates: { types: { 'text/markdown': `/docs/${slug}.md` } } }
}

export default async function GuidePage({ params }: Props) {
  const { slug } = await params
  const [guide, guides] = await Promise.all([loadGuide(slug), server().publicCaller().visitor.guides()])
  const headings = headingsOf(guide.blocks)
  return (
    <div className="grid gap-x-10 xl:grid-cols-[minmax(0,1fr)_200px]">
      <article className="min-w-0 max-w-[760px]">
        <AboveTitle group={guide.group} path={`/docs/${slug}`} />
        <h1 className="mb-1 text-title font-semibold tracking-tight text-balance">{guide.title}</h1>
        <p className="mb-6 text-muted">{guide.summary}</p>
        <GuideView blocks={guide.blocks} />
        <Neighbors guides={guides} slug={slug} />
      </article>
      <aside className="sticky top-8 self-start max-xl:hidden">
        <Contents headings={headings} />
      </aside>
    </div>
  )
}
