import type { SiteFile } from './shape'

/** How many files a version adds, changes and removes. */
export type SiteDiff = { added: number; changed: number; removed: number }

export function diffFiles(before: readonly SiteFile[], after: readonly SiteFile[]): SiteDiff {
  const old = new Map(before.map((file) => [file.path, file.fileId]))
  const kept = after.filter(({ path }) => old.has(path))
  return {
    added: after.length - kept.length,
    changed: kept.filter(({ path, fileId }) => old.get(path) !== fileId).length,
    removed: before.length - kept.length,
  }
}

export const isUnchanged = ({ added, changed, removed }: SiteDiff): boolean => added + changed + removed === 0

/** A difference in words: "2 files added, 1 changed, none removed". */
export function describeDiff({ added, changed, removed }: SiteDiff): string {
  const count = (n: number) => (n === 0 ? 'none' : String(n))
  return `${added === 1 ? '1 file' : added === 0 ? 'no files' : `${added} files`} added, ${count(changed)} changed, ${count(removed)} removed`
}
