import { z } from 'zod'
import { Email } from '../accounts/shape'

/** What somebody types to delete their account. */
export const AccountDeletion = z.strictObject({ email: Email, password: z.string().max(200) })
export type AccountDeletion = z.infer<typeof AccountDeletion>
