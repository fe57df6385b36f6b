import type { ReactNode } from 'react'
import type { OfferedModel } from '@/server/models/shape'
import { formatCredits, formatUsd } from '../ui/amount'
import { CopyButton } from '../ui/copy'
import { Facts } from '../ui/page'
import { MODEL_KIND_LABELS } from './filter-models'

type Row = [name: string, value: ReactNode]
const tokens = (count: number) => (count > 0 ? `${formatCredits(count)} tokens` : '—')

function lengths(seconds: NonNullable<OfferedModel['video']>['seconds']): string {
  if (Array.isArray(seconds)) return `${seconds.join(' or ')} s`
  return `${seconds.min} to ${seconds.max} s, ${seconds.default} s by default`
}

function prices({ kind, image, video, ...model }: OfferedModel, rate: number): Row[] {
  const price = (name: string, credits: number, per: string): Row => [
    name,
    <span key={name}>
      <span className="num">{formatCredits(credits)}</span> credits {per}{' '}
      <span className="text-caption whitespace-nowrap text-muted">≈ {formatUsd(credits, rate)}</span>
    </span>,
  ]
  if (image) return [price('Price', image.creditsPerImage, 'per image')]
  if (video) {
    const perSecond = Object.entries(video.creditsPerSecond)
    return perSecond.map(([resolution, credits]) => price(`At ${resolution}`, credits, 'per second'))
  }
  const input = price('Input', model.creditsPer1mInput, 'per 1M tokens')
  return kind === 'embedding' ? [input] : [input, price('Output', model.creditsPer1mOutput, 'per 1M tokens')]
}

/** Everything about a model. Dollars are at the reference rate. */
export function ModelFacts({ of, rate }: { of: OfferedModel; rate: number }) {
  const { image, video } = of
  const forms = image?.ratios ?? image?.sizes ?? video?.ratios
  const rows: Row[] = [
    [
      'Id',
      <span key="id" className="-my-1.5 flex items-center gap-1">
        <span className="num min-w-0 break-all">{of.id}</span>
        <CopyButton text={of.id} bare label="Copy id" />
      </span>,
    ],
    ['Provider', of.provider],
    ['Kind', MODEL_KIND_LABELS[of.kind]],
    ...prices(of, rate),
    ...(of.kind === 'chat'
      ? ([
          ['Context', tokens(of.contextSize)],
          ['Max output', tokens(of.maxOutput)],
          ...(of.efforts ? [['Efforts', of.efforts.join(', ') || 'None'] satisfies Row] : []),
          ...(of.parameters ? [['Parameters', of.parameters.join(', ')] satisfies Row] : []),
          ...(of.aliases.length > 0 ? [['Aliases', of.aliases.join(', ')] satisfies Row] : []),
        ] satisfies Row[])
      : []),
    ...(of.kind === 'embedding' ? ([['Longest input', tokens(of.contextSize)]] satisfies Row[]) : []),
    ['Image input', of.vision ? 'Yes' : 'No'],
    ...(video ? ([['Length', lengths(video.seconds)]] satisfies Row[]) : []),
    ...(forms ? ([[image?.sizes ? 'Sizes' : 'Ratios', forms.join(', ')]] satisfies Row[]) : []),
    ...(video?.audioFactor ? ([['With sound', `× ${video.audioFactor}`]] satisfies Row[]) : []),
  ]
  return <Facts rows={rows} />
}
