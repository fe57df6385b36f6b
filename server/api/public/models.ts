import { z } from 'zod'
import { AppError } from '../../errors'
import type { Caller } from '../../keys/authenticate'
import { mayUseModel } from '../../keys/grants'
import { describeEndpoints, ModelEndpoints } from '../../models/listing/endpoint'
import { listMessagesModel, listModel } from '../../models/listing/listed'
import { allModels, findModel } from '../../models/registry'
import { ListedModel, MessagesModel, type Model, ModelKind } from '../../models/shape'
import { openProcedure, router } from '../trpc'

const ModelList = z.object({ object: z.literal('list'), data: z.array(ListedModel) })

const MessagesModelList = z.object({
  data: z.array(MessagesModel),
  has_more: z.literal(false),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
})

/** What clients of language models can use: they would offer an engine as one that chats. */
const DEFAULT_KINDS: readonly ModelKind[] = ['chat', 'embedding']

const Kind = z
  .enum([...ModelKind.options, 'all'], `must be ${ModelKind.options.join(', ')} or all`)
  .optional()
  .describe('Which models; by default those that chat and those that make embeddings')

/** Without a key every model, with a key those that it may use. */
const isVisible = (caller: Caller | null, id: string) => caller === null || mayUseModel(caller.grants, id)

/** The model that a caller names. Throws `not_found` also for one that its key may not use. */
function visibleModel(caller: Caller | null, id: string): Model {
  const model = findModel(id)
  if (model && isVisible(caller, model.id)) return model
  throw new AppError('not_found', `There is no model "${id}" here. GET /api/v1/models lists them.`, {
    detail: { param: 'model' },
  })
}

/** Clients of the messages API always name its version, and read their own form. */
const speaksMessages = (headers: Headers): boolean => headers.has('anthropic-version')

function messagesList(models: readonly Model[]): z.infer<typeof MessagesModelList> {
  const data = models.filter(({ kind }) => kind === 'chat').map(listMessagesModel)
  return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }
}

export const modelsRouter = router({
  list: openProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/models',
        operationId: 'listModels',
        protect: false,
        summary: 'List the models, or with a key those that it may use',
        description: 'With the header anthropic-version the chat models, in the form of the messages API.',
        tags: ['Chat'],
      },
      rest: { errors: 'chat', schema: 'ModelList', ignoresUnknown: true },
    })
    .input(z.object({ kind: Kind }))
    .output(z.union([ModelList, MessagesModelList]))
    .query(({ ctx, input: { kind } }) => {
      const models = allModels().filter(({ id }) => isVisible(ctx.caller, id))
      if (speaksMessages(ctx.headers)) return messagesList(models)
      const kinds = kind === undefined ? DEFAULT_KINDS : kind === 'all' ? ModelKind.options : [kind]
      return { object: 'list' as const, data: models.filter((model) => kinds.includes(model.kind)).map(listModel) }
    }),

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
      rest: { errors: 'chat', tail: true, traits: ['named'], ignoresUnknown: true },
    })
    .input(z.object({ model: z.string().describe('Model id, such as provider/name') }))
    .output(z.union([ListedModel, MessagesModel]))
    .query(({ ctx, input }) => {
      const model = visibleModel(ctx.caller, input.model)
      return speaksMessages(ctx.headers) ? listMessagesModel(model) : listModel(model)
    }),

  endpoints: openProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/models/{provider}/{name}/endpoints',
        operationId: 'listModelEndpoints',
        protect: false,
        summary: "A model's endpoint and prices, in the form of routers",
        tags: ['Chat'],
      },
      rest: { errors: 'chat', traits: ['named'], ignoresUnknown: true },
    })
    .input(
      z.object({
        provider: z.string().describe('The part of the model id before its slash'),
        name: z.string().describe('The rest of the model id'),
      }),
    )
    .output(ModelEndpoints)
    .query(({ ctx, input }) => describeEndpoints(visibleModel(ctx.caller, `${input.provider}/${input.name}`))),
})
