/** Reports how far something is. */
export type Progress = (line: string) => void

/** Prints at most one line a second on stderr, and nothing for what is done sooner. */
export function makeProgress(write = (line: string) => void process.stderr.write(`${line}\n`)): Progress {
  let last = performance.now()
  return (line) => {
    if (performance.now() - last < 1_000) return
    last = performance.now()
    write(line)
  }
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB']

/** Bytes as people read them. */
export function readableBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const value = bytes / 1_000 ** power
  return `${value.toFixed(power === 0 || value >= 100 ? 0 : 1)} ${UNITS[power]}`
}
