import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { AboveTitle } from '@/components/docs/above-title'
import { MethodBadge } from '@/components/docs/method-badge'
import { OperationView } from '@/components/docs/operation-view'
import { Island } from '@/components/islands/island'
import { CopyButton } from '@/components/ui/copy'
import { server } from '../../../../server'

type Props = { params: Promise<{ operation: string }> }

async function loadOperation(id: string) {
  const operations = await server().readReference()
  return operations.find((operation) => operation.id === id) ?? notFound()
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { summary } = await loadOperation((await params).operation)
  return { title: summary }
}

export default async function OperationPage({ params }: Props) {
  const operation = await loadOperation((await params).operation)
  return (
    <>
      <AboveTitle group={operation.tag} path={`/docs/reference/${operation.id}`} />
      <h1 className="text-title font-semibold tracking-tight text-balance">{operation.summary}</h1>
      <p className="mb-6 flex items-center gap-2">
        <MethodBadge method={operation.method} />
        <span className="num min-w-0 [overflow-wrap:anywhere]">{operation.path}</span>
        <Island name="CopyButton" of={CopyButton} props={{ text: operation.path, bare: true, label: 'Copy path' }} />
      </p>
      <OperationView of={operation} origin={server().publicUrl()} />
    </>
  )
}
