import { z } from 'zod'
import { offerModel } from '../../models/offer'
import { allModels } from '../../models/registry'
import { OfferedModel } from '../../models/shape'
import { availableTools } from '../../tools/registry'
import { ownerProcedure, router } from '../trpc'

const ModelOffer = z.object({
  models: z.array(OfferedModel),
  tools: z.array(z.string()).describe('Those tools for image and video engines that can be called here'),
})

/** What calls engines of the kinds that do not chat. */
const ENGINE_TOOLS: readonly string[] = ['image_generate', 'video_generate']

export const ownerModelsRouter = router({
  list: ownerProcedure.output(ModelOffer).query(() => ({
    models: allModels().map(offerModel),
    tools: availableTools()
      .map(({ id }) => id)
      .filter((id) => ENGINE_TOOLS.includes(id)),
  })),
})
