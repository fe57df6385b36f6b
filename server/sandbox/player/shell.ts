import { freeStep, type PlannedStep, type PlayerAsk, type PlayerPart } from './ask'
import { failureOf, resultValue, rowNumber, rowText, wasRejected } from './calls'
import { type Chapter, makeChapter, onlyGaps, textBlock } from './chapter'
import type { Wish } from './wish'

const MAX_OUTPUT = 1_500

/** What a goal wants of the shell: a command that it quotes, or a file. */
function readShellWish({ text, subject }: Wish) {
  const quoted = /`([^`\n]{2,400})`/.exec(text)?.[1]
  const path = /\b([\w-]{1,40}\.[a-z]{1,5})\b/.exec(text)?.[1] ?? 'notes.md'
  const content = `# ${subject || 'Notes'}\n\n${text.trim()}\n`
  return { quoted, path, content, removes: /\b(delete|remove)\b/i.test(text) }
}

function plan(wish: Wish): PlannedStep[] {
  const { quoted, path, removes } = readShellWish(wish)
  if (quoted !== undefined) return [freeStep(`Run ${quoted} in the shell`, 'pod_run')]
  const write = [freeStep(`Write ${path}`, 'pod_write_file'), freeStep('Count its words and read it again', 'pod_run')]
  return [...write, ...(removes ? [freeStep(`Remove ${path}, for which you are asked first`, 'pod_run')] : [])]
}

const TITLE = 'In the shell'

function commandChapter(ask: PlayerAsk, command: string): Chapter {
  const call = ask.one('pod_run', { command })
  const done = resultValue(call)
  if (!done) {
    const why = !call ? 'this run has no shell.' : wasRejected(call) ? 'you did not allow it.' : failureOf(call)
    return makeChapter({ title: TITLE, gaps: [`\`${command}\` was not run: ${why}`] })
  }
  const printed = `${rowText(done, 'stdout')}\n${rowText(done, 'stderr')}`.trim()
  const output = printed.replaceAll('```', "'''").slice(0, MAX_OUTPUT)
  const lead = `\`${command}\` ended with exit code ${rowNumber(done, 'exitCode') ?? 0}`
  if (output === '') return makeChapter({ title: TITLE, lead: `${lead} and printed nothing.` })
  return makeChapter({ title: TITLE, lead: `${lead}:`, blocks: [textBlock(`\`\`\`\n${output}\n\`\`\``)] })
}

function play(ask: PlayerAsk, wish: Wish): Chapter[] {
  const { quoted, path, content, removes } = readShellWish(wish)
  if (quoted !== undefined) return [commandChapter(ask, quoted)]
  const written = ask.one('pod_write_file', { path, content })
  if (!resultValue(written))
    return onlyGaps(TITLE, `${path} was not written${written ? `: ${failureOf(written)}` : '.'}`)
  const read = commandChapter(ask, `wc -w ${path} && head -n 12 ${path}`)
  return [read, ...(removes ? [commandChapter(ask, `rm ${path}`)] : [])]
}

/** Files and commands in the sandboxed shell of the conversation. */
export const shellPart: PlayerPart = { topic: 'shell', plan, play }
