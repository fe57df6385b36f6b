import { z } from 'zod'
import { offerModel } from '../../models/listing/offer'
import { allModels } from '../../models/registry'
import { OfferedModel } from '../../models/shape'
import { availableTools } from '../../tools/registry'
import { memberProcedure, router } from '../trpc'

const ModelOffer = z.object({
  models: z.array(OfferedModel),
  tools: z.array(z.string()).describe('The available tools for image and video engines'),
})

/** The tools that call image and video engines. */
const ENGINE_TOOLS: readonly string[] = ['image_generate', 'video_generate']

export const ownerModelsRouter = router({
  list: memberProcedure('member')
    .output(ModelOffer)
    .query(() => ({
      models: allModels().map(offerModel),
      tools: availableTools()
        .map(({ id }) => id)
        .filter((id) => ENGINE_TOOLS.includes(id)),
    })),
})
