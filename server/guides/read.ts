import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { lazy } from '../kit/lazy'
import { readFrontMatter } from './front-matter'
import type { GuideFacts } from './shape'

/** A guide as it is written: its Markdown still has placeholders and links to files. */
export type GuideFile = GuideFacts & { body: string }

/** `docs/guides`, from the source tree and from `dist/` alike. */
const guidesFolder = lazy((): string => {
  const here = import.meta.dirname
  const places = ['..', '../..'].map((up) => path.join(here, up, 'docs/guides'))
  return places.find((place) => existsSync(place)) ?? path.resolve('docs/guides')
})

/** What was read, by slug, and when it was written. */
const known = new Map<string, { mtimeMs: number; guide: GuideFile }>()

async function readGuideFile(slug: string): Promise<GuideFile> {
  const file = path.join(guidesFolder(), `${slug}.md`)
  const { mtimeMs } = await stat(file)
  const found = known.get(slug)
  if (found?.mtimeMs === mtimeMs) return found.guide
  const guide = readFrontMatter(slug, await readFile(file, 'utf8'))
  known.set(slug, { mtimeMs, guide })
  return guide
}

/** All guides, in their order. A file is read again only when it was changed. */
export async function readGuideFiles(): Promise<GuideFile[]> {
  const names = await readdir(guidesFolder())
  const slugs = names.flatMap((name) => /^([a-z0-9-]+)\.md$/.exec(name)?.[1] ?? [])
  const guides = await Promise.all(slugs.map(readGuideFile))
  return guides.sort((a, b) => a.order - b.order || a.slug.localeCompare(b.slug))
}

/** The guide of a slug, or undefined. */
export const findGuideFile = async (slug: string): Promise<GuideFile | undefined> =>
  (await readGuideFiles()).find((guide) => guide.slug === slug)
