import type { Metadata } from 'next'
import { cache } from 'react'
import { AboveTitle } from '@/components/docs/above-title'
import { ToolGuideView } from '@/components/docs/tool-guide-view'
import { Title } from '@/components/ui/page'
import { orNotFound } from '../../../../or-not-found'
import { server } from '../../../../server'

type Props = { params: Promise<{ toolId: string }> }

const loadToolGuide = cache(async (id: string) => orNotFound(server().publicCaller().visitor.tool(id)))

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await loadToolGuide((await params).toolId)).label }
}

export default async function ToolGuidePage({ params }: Props) {
  const tool = await loadToolGuide((await params).toolId)
  return (
    <>
      <AboveTitle group={tool.group} path={`/docs/tools/${tool.id}`} />
      <Title title={tool.label} note={<span className="block max-w-[80ch]">{tool.description}</span>} />
      <ToolGuideView of={tool} origin={server().publicUrl()} />
    </>
  )
}
