import { z } from 'zod'
import { ModelFigures, readModelFigures } from '../../credits/model-figures'
import { AppError } from '../../errors'
import { offerModel } from '../../models/listing/offer'
import { allModels, findModel } from '../../models/registry'
import { OfferedModel } from '../../models/shape'
import { availableTools } from '../../tools/registry'
import { memberProcedure, router } from '../trpc'

const ToolIds = z.array(z.string()).describe('The available tools for image and video engines')
const ModelOffer = z.object({ models: z.array(OfferedModel), tools: ToolIds })
const OneModel = z.object({ model: OfferedModel, tools: ToolIds, figures: ModelFigures.nullable() })

/** The tools that call image and video engines. */
const ENGINE_TOOLS: readonly string[] = ['image_generate', 'video_generate']

const engineTools = () =>
  availableTools()
    .map(({ id }) => id)
    .filter((id) => ENGINE_TOOLS.includes(id))

export const ownerModelsRouter = router({
  list: memberProcedure('member')
    .output(ModelOffer)
    .query(() => ({ models: allModels().map(offerModel), tools: engineTools() })),

  /** What the account's latest calls of each model were like. */
  figures: memberProcedure('member')
    .output(z.array(ModelFigures))
    .query(({ ctx }) =>
      readModelFigures(
        ctx.owner,
        allModels().map(({ id }) => id),
        { signal: ctx.signal },
      ),
    ),

  get: memberProcedure('member')
    .input(z.object({ model: z.string().max(400) }))
    .output(OneModel)
    .query(async ({ ctx, input }) => {
      const model = findModel(input.model)
      if (!model) throw new AppError('not_found', 'Model not found.')
      const [figures = null] = await readModelFigures(ctx.owner, [model.id], { signal: ctx.signal })
      return { model: offerModel(model), tools: engineTools(), figures }
    }),
})
