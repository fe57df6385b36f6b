import type { OfferedModel } from '@/server/models/shape'
import { formatCredits } from '../ui/amount'
import { formatDuration } from '../ui/format-time'
import type { Sort } from '../ui/sort-order'
import type { MeasuredCalls } from './shape'

type Measured = { model: OfferedModel; figures: MeasuredCalls | undefined }

export const failedPercent = ({ calls, failed }: MeasuredCalls): number => (failed / calls) * 100

/** A share in percent, exact enough to tell 0 from nearly 0. */
export function formatPercent(percent: number): string {
  return `${percent > 0 && percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`
}

export const formatFirstToken = (ms: number | null): string => (ms === null ? '—' : formatDuration(ms))

export const formatSpeed = (tokens: number | null): string =>
  tokens === null ? '—' : tokens < 10 ? String(tokens) : formatCredits(Math.round(tokens))

/** What the list can be sorted by; null: not known of this model. */
const SORTS: Record<string, (of: Measured) => number | string | null> = {
  name: ({ model }) => model.name.toLowerCase(),
  context: ({ model }) => model.contextSize,
  first: ({ figures }) => figures?.firstTokenMs ?? null,
  speed: ({ figures }) => figures?.tokensPerSecond ?? null,
  failed: ({ figures }) => (figures ? failedPercent(figures) : null),
  usual: ({ figures }) => figures?.charged ?? null,
  input: ({ model }) => (model.image || model.video ? null : model.creditsPer1mInput),
  output: ({ model }) => (model.kind === 'chat' ? model.creditsPer1mOutput : null),
}

/** Models in the order that the URL names; those of which it is not known come last. */
export function sortModels(
  models: readonly OfferedModel[],
  figures: ReadonlyMap<string, MeasuredCalls>,
  sort: Sort | null,
): readonly OfferedModel[] {
  const by = sort && Object.hasOwn(SORTS, sort.column) ? SORTS[sort.column] : undefined
  if (!by) return models
  const sign = sort?.order === 'asc' ? 1 : -1
  const valued = models.map((model) => ({ model, value: by({ model, figures: figures.get(model.id) }) }))
  valued.sort((a, b) => {
    if (a.value === b.value) return 0
    if (a.value === null || b.value === null) return a.value === null ? 1 : -1
    return a.value < b.value ? -sign : sign
  })
  return valued.map(({ model }) => model)
}
