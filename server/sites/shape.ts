import { z } from 'zod'

/** Limits of one version of a site. */
export const MAX_SITE_FILES = 500
export const MAX_SITE_FILE_BYTES = 5 * 1024 * 1024
export const MAX_SITE_BYTES = 20 * 1024 * 1024

/** Limit of sites per owner. */
export const MAX_SITES = 100

/** Names that could pass for the service itself, or that it may need. */
const RESERVED = new Set([
  ...['admin', 'api', 'app', 'assets', 'auth', 'catalog', 'connect', 'dashboard', 'docs', 'files', 'healthz', 'help'],
  ...['index', 'jobs', 'keys', 'login', 'logout', 'metrics', 'models', 'new', 'null', 'overview', 'playground'],
  ...['public', 'readyz', 'settings', 'sign-in', 'sign-up', 'signin', 'signup', 'site', 'sites', 'static', 'status'],
  ...['support', 'system', 'tollgate', 'undefined', 'usage', 'well-known', 'www'],
])

/**
 * Whether a name in an address is that of a version's preview, which nobody guesses; no site has
 * such a name.
 */
export const isPreviewName = (text: string): boolean => /^p-[0-9a-f]{32}$/.test(text)

/** The name of a site: the part of its URL after `/sites/`. */
export const Slug = z
  .string()
  .min(3)
  .max(63)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case letters and digits, with single hyphens between them')
  .refine((slug) => !RESERVED.has(slug) && !isPreviewName(slug), 'is a reserved name')

export const isSlug = (text: string): boolean => Slug.safeParse(text).success

/** A stored file of a version. `fileId` names its bytes in the file store. */
export const SiteFile = z.object({
  path: z.string(),
  fileId: z.string(),
  contentType: z.string(),
  bytes: z.int(),
})
export type SiteFile = z.infer<typeof SiteFile>
export const SiteFiles = z.array(SiteFile)

/** A file that a version would add, change or remove. */
export const FileChange = z.object({
  path: z.string(),
  change: z.enum(['added', 'changed', 'removed']),
  bytesBefore: z.int().nullable().describe('null: it is new'),
  bytesAfter: z.int().nullable().describe('null: it would be gone'),
  diff: z
    .string()
    .optional()
    .describe('Of a text: the lines that go and come, in the unified format, cut where it is long'),
})
export type FileChange = z.infer<typeof FileChange>

/** A file to publish: text, or base64. */
export type SiteFileInput = { path: string; content?: string; base64?: string }

/** A version of a site. `preview`: where those who have the address see it; null: nowhere. */
type SiteVersionView = { version: number; files: number; bytes: number; preview: string | null; createdAt: string }

/** A site as its owner sees it. */
export type SiteView = {
  slug: string
  url: string
  /** The version that is served; null: taken down. */
  live: number | null
  versions: SiteVersionView[]
}

/** What a visitor gets for a path of a site. */
export type SitePage =
  | { kind: 'file'; status: 200 | 404; file: SiteFile; open: () => Promise<ReadableStream<Uint8Array> | null> }
  /** The path names a folder and lacks its trailing slash. */
  | { kind: 'folder' }
  /** No such page, and the site has no 404.html. */
  | { kind: 'none' }
