import { offerModel } from '../models/listing/offer'
import { allModels } from '../models/registry'
import type { ModelKind, OfferedModel } from '../models/shape'
import { tableBlock } from './markdown-blocks'

const list = (values: readonly (string | number)[] = []) => values.join(', ')

const imagePrice = ({ image, creditsPer1mOutput }: OfferedModel): string =>
  image && image.creditsPerImage > 0 ? `${image.creditsPerImage} an image` : `${creditsPer1mOutput} per million tokens`

function secondsOf({ video }: OfferedModel): string {
  if (!video) return ''
  const { seconds } = video
  return Array.isArray(seconds) ? list(seconds) : `${seconds.min} to ${seconds.max}, default ${seconds.default}`
}

const videoPrice = ({ video }: OfferedModel): string =>
  Object.entries(video?.creditsPerSecond ?? {})
    .map(([resolution, credits]) => `${resolution}: ${credits}`)
    .join(', ') + (video?.audioFactor ? `; with sound × ${video.audioFactor}` : '')

type Column = [head: string, cell: (model: OfferedModel) => string]

const COLUMNS: Record<ModelKind, { title: string; note: string; columns: Column[] }> = {
  chat: {
    title: 'Chat models',
    note: 'Prices are credits per million tokens.',
    columns: [
      ['Context', ({ contextSize }) => String(contextSize)],
      ['Max output', ({ maxOutput }) => String(maxOutput)],
      ['Input', ({ creditsPer1mInput }) => String(creditsPer1mInput)],
      ['Output', ({ creditsPer1mOutput }) => String(creditsPer1mOutput)],
      ['Vision', ({ vision }) => (vision ? 'yes' : 'no')],
    ],
  },
  embedding: {
    title: 'Embedding models',
    note: 'For `POST /embeddings`. Prices are credits per million tokens.',
    columns: [
      ['Context', ({ contextSize }) => String(contextSize)],
      ['Input', ({ creditsPer1mInput }) => String(creditsPer1mInput)],
    ],
  },
  image: {
    title: 'Image models',
    note: 'For `image_generate` and `POST /images/generations`. The charge is the real cost; these are the most credits it can be.',
    columns: [
      ['Shapes', ({ image }) => list(image?.ratios ?? image?.sizes)],
      ['Price', imagePrice],
    ],
  },
  video: {
    title: 'Video models',
    note: 'For `video_generate`. Prices are the most credits that a second can cost.',
    columns: [
      ['Seconds', secondsOf],
      ['Shapes', ({ video }) => list(video?.ratios)],
      ['Price a second', videoPrice],
    ],
  },
}

/** A table of the models of each kind that there is, with what a caller chooses by. */
export function modelTables(): string[] {
  const byKind = Map.groupBy(allModels().map(offerModel), ({ kind }) => kind)
  return (Object.keys(COLUMNS) as ModelKind[]).flatMap((kind) => {
    const models = byKind.get(kind) ?? []
    const { title, note, columns } = COLUMNS[kind]
    const rows = models.map((model) => [`\`${model.id}\``, model.name, ...columns.map(([, cell]) => cell(model))])
    return models.length === 0
      ? []
      : [`### ${title}\n\n${note}`, tableBlock(['Id', 'Name', ...columns.map(([head]) => head)], rows)]
  })
}
