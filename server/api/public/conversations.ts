import { z } from 'zod'
import {
  addItems,
  changeConversation,
  conversationItemsOf,
  createConversation,
  deleteConversation,
  deleteItem,
  viewConversation,
} from '../../chat/responses/conversations'
import type { Keeper } from '../../chat/responses/rows'
import { AppError } from '../../errors'
import type { Caller } from '../../keys/authenticate'
import { ResponseItem } from '../../models/wires/responses/request'
import { hasScope, keyProcedure, router } from '../trpc'
import { keptDays } from './kept-response'
import { ItemPage, ofKept, pageOfItems, ResponseItems } from './response-items'

const ConversationId = z.object({ conversationId: z.string().max(200).describe('The id of a conversation, conv_…') })
const Conversation = z.object({
  id: z.string(),
  object: z.literal('conversation'),
  created_at: z.int(),
  metadata: z.record(z.string(), z.unknown()),
})

/** How long a key's conversations are kept. Throws `invalid_request` where none is. */
function keeperOf({ ownerId, grants }: Caller): Keeper {
  const days = keptDays(grants)
  if (days > 0) return { ownerId, days }
  throw new AppError(
    'invalid_request',
    'Nothing is kept for this key: responseDays of the key, RETAIN_RESPONSES_DAYS and ENCRYPTION_KEY of the service decide that.',
  )
}

const Metadata = z
  .record(z.string().max(64), z.string().max(512))
  .refine((pairs) => Object.keys(pairs).length <= 16, 'must have at most 16 keys')

const NewItems = z.array(ResponseItem).max(20)

/** Conversations, whose items requests of the Responses API continue. */
export const conversations = router({
  create: keyProcedure
    .meta(
      ofKept(
        'POST',
        '/conversations',
        ['createConversation', 'Begin a conversation that responses continue'],
        ['granted'],
      ),
    )
    .input(z.object({ items: NewItems.nullish(), metadata: Metadata.nullish() }))
    .use(hasScope('llm'))
    .output(Conversation)
    .mutation(({ ctx, input: { items, metadata } }) =>
      createConversation(keeperOf(ctx.caller), { items: items ?? [], metadata: metadata ?? {} }),
    ),

  get: keyProcedure
    .meta(ofKept('GET', '/conversations/{conversationId}', ['getConversation', 'Read a conversation']))
    .input(ConversationId)
    .use(hasScope('llm'))
    .output(Conversation)
    .query(({ ctx, input }) => viewConversation(ctx.caller.ownerId, input.conversationId)),

  change: keyProcedure
    .meta(
      ofKept('POST', '/conversations/{conversationId}', [
        'changeConversation',
        'Replace the metadata of a conversation',
      ]),
    )
    .input(ConversationId.extend({ metadata: Metadata }))
    .use(hasScope('llm'))
    .output(Conversation)
    .mutation(({ ctx, input }) => changeConversation(ctx.caller.ownerId, input.conversationId, input.metadata)),

  delete: keyProcedure
    .meta(
      ofKept('DELETE', '/conversations/{conversationId}', [
        'deleteConversation',
        'Delete a conversation; responses in it stay',
      ]),
    )
    .input(ConversationId)
    .use(hasScope('llm'))
    .output(z.object({ id: z.string(), object: z.literal('conversation.deleted'), deleted: z.literal(true) }))
    .mutation(async ({ ctx, input: { conversationId: id } }) => {
      await deleteConversation(ctx.caller.ownerId, id)
      return { id, object: 'conversation.deleted' as const, deleted: true as const }
    }),

  items: keyProcedure
    .meta(
      ofKept('GET', '/conversations/{conversationId}/items', [
        'listConversationItems',
        'List the items of a conversation',
      ]),
    )
    .input(ConversationId.extend(ItemPage.shape))
    .use(hasScope('llm'))
    .output(ResponseItems)
    .query(async ({ ctx, input: { conversationId, ...page } }) =>
      pageOfItems(await conversationItemsOf(ctx.caller.ownerId, conversationId), page),
    ),

  addItems: keyProcedure
    .meta(
      ofKept('POST', '/conversations/{conversationId}/items', ['addConversationItems', 'Add items to a conversation']),
    )
    .input(ConversationId.extend({ items: NewItems.min(1) }))
    .use(hasScope('llm'))
    .output(ResponseItems)
    .mutation(async ({ ctx, input: { conversationId, items } }) => {
      const added = await addItems(keeperOf(ctx.caller), conversationId, items)
      return pageOfItems(added, { limit: added.length, order: 'asc' })
    }),

  deleteItem: keyProcedure
    .meta(
      ofKept('DELETE', '/conversations/{conversationId}/items/{itemId}', [
        'deleteConversationItem',
        'Delete an item of a conversation',
      ]),
    )
    .input(ConversationId.extend({ itemId: z.string().max(200).describe('The id of an item') }))
    .use(hasScope('llm'))
    .output(Conversation)
    .mutation(({ ctx, input }) => deleteItem(ctx.caller.ownerId, input.conversationId, input.itemId)),
})
