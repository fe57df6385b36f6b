import { z } from 'zod'

/** What deleting oneself takes away. */
export const OwnDeletion = z.object({
  own: z
    .object({
      name: z.string(),
      others: z.int().describe('Its other members'),
      stays: z.boolean().describe('It has another owner, to whom it stays'),
    })
    .nullable()
    .describe('The account that the person opened; null: they belong to it no more'),
  leaves: z.array(z.string()).describe('Accounts of others that the person leaves'),
  blockedBy: z.array(z.string()).describe('Accounts of others whose last owner the person is: nothing is deleted'),
})
export type OwnDeletion = z.infer<typeof OwnDeletion>
