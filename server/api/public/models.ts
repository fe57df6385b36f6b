import { z } from 'zod'
import { AppError } from '../../errors'
import type { Caller } from '../../keys/authenticate'
import { mayUseModel } from '../../keys/grants'
import { allModels, findModel, listModel } from '../../models/registry'
import { ListedModel } from '../../models/shape'
import { openProcedure, router } from '../trpc'

const ModelList = z.object({ object: z.literal('list'), data: z.array(ListedModel) })

/** Without a key every model, with a key those that it may use. */
const isVisible = (caller: Caller | null, id: string) => caller === null || mayUseModel(caller.grants, id)

export const modelsRouter = router({
  list: openProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/models',
        operationId: 'listModels',
        protect: false,
        summary: 'List the models, or with a key those that it may use',
        tags: ['Chat'],
      },
      rest: { errors: 'chat', schema: 'ModelList' },
    })
    .input(z.object({}))
    .output(ModelList)
    .query(({ ctx }) => ({
      object: 'list',
      data: allModels()
        .filter(({ id }) => isVisible(ctx.caller, id))
        .map(listModel),
    })),

  get: openProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/models/{model}',
        operationId: 'getModel',
        protect: false,
        summary: 'Get one model by its id; its slash may be sent as it is or percent-encoded',
        tags: ['Chat'],
      },
      rest: { errors: 'chat', tail: true, traits: ['named'] },
    })
    .input(z.object({ model: z.string().describe('Model id, such as provider/name') }))
    .output(ListedModel)
    .query(({ ctx, input }) => {
      const model = findModel(input.model)
      if (model && isVisible(ctx.caller, model.id)) return listModel(model)
      throw new AppError('not_found', `There is no model "${input.model}" here. GET /api/v1/models lists them.`, {
        detail: { param: 'model' },
      })
    }),
})
