import { buffer } from 'node:stream/consumers'
import { structuredPatch } from 'diff'
import { fileStore } from '../files/store'
import { isTextType } from './content-type'
import type { DraftFile } from './draft'
import type { FileChange, SiteFile } from './shape'

/** Files that are listed, and texts that are compared, of a size that takes no time to compare. */
const MAX_LISTED = 100
const MAX_DIFFS = 12
const MAX_COMPARED_BYTES = 200_000
const MAX_EDITS = 500
const COMPARE_MS = 100
const MAX_DIFF_CHARS = 4_000

const ORDER: readonly FileChange['change'][] = ['removed', 'changed', 'added']

/** What publishing a draft would change of a site's files, those that go first. */
export async function siteChanges(
  before: readonly SiteFile[],
  after: readonly DraftFile[],
): Promise<{ files: FileChange[]; total: number }> {
  const old = new Map(before.map((file) => [file.path, file]))
  const drafts = new Map(after.map((file) => [file.path, file]))
  const changes = [...new Set([...old.keys(), ...drafts.keys()])].flatMap((path): FileChange[] => {
    const [was, is] = [old.get(path), drafts.get(path)]
    if (was && is && was.fileId === is.fileId) return []
    const change = !was ? 'added' : is ? 'changed' : 'removed'
    return [{ path, change, bytesBefore: was?.bytes ?? null, bytesAfter: is?.bytes ?? null }]
  })
  const listed = changes
    .toSorted((a, b) => ORDER.indexOf(a.change) - ORDER.indexOf(b.change) || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_LISTED)
  let left = MAX_DIFFS
  for (const change of listed) {
    const [was, is] = [old.get(change.path), drafts.get(change.path)]
    if (!was || !is || left === 0) continue
    left--
    const diff = await diffOf(was, is)
    if (diff !== null) change.diff = diff
  }
  return { files: listed, total: changes.length }
}

/** The lines that change in a text; null where one of the two is no text, or they are too large. */
async function diffOf(was: SiteFile, is: DraftFile): Promise<string | null> {
  if (!isTextType(was.contentType) || !isTextType(is.contentType)) return null
  if (Math.max(was.bytes, is.bytes) > MAX_COMPARED_BYTES) return null
  const stored = await fileStore().get(was.fileId)
  if (!stored) return null
  const [from, to] = [(await buffer(stored)).toString('utf8'), Buffer.from(is.content).toString('utf8')]
  const limits = { context: 2, maxEditLength: MAX_EDITS, timeout: COMPARE_MS }
  const patch = structuredPatch(was.path, is.path, from, to, '', '', limits)
  if (!patch) return null
  const text = patch.hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) =>
      [
        `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
        ...lines.filter((line) => !line.startsWith('\\')),
      ].join('\n'),
    )
    .join('\n')
  return text.length > MAX_DIFF_CHARS
    ? `${text.slice(0, MAX_DIFF_CHARS).toWellFormed()}\n[${text.length - MAX_DIFF_CHARS} more characters]`
    : text
}
