import { z } from 'zod'

/** The name of a site. Publishing checks names of new sites further. */
export const siteSlugParam = z
  .string()
  .min(1)
  .max(63)
  .regex(/^[a-z0-9-]+$/, 'must be lower-case letters, digits and hyphens')
  .describe("The site's name in its URL")

export const siteVersionParam = z.int().min(1).max(2_147_483_647)
