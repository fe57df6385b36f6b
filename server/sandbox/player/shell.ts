import type { PlannedStep, PlayerAsk, PlayerPart } from './ask'
import { failureOf, resultValue, rowNumber, rowText, wasRejected } from './calls'
import { type Chapter, makeChapter } from './chapter'
import type { Wish } from './wish'

const MAX_OUTPUT = 1_500

/** What a goal wants of the shell: a command that it quotes, or a file. */
function readShellWish({ text, subject }: Wish) {
  const quoted = /`([^`\n]{2,400})`/.exec(text)?.[1]
  const path = /\b([\w-]{1,40}\.[a-z]{1,5})\b/.exec(text)?.[1] ?? 'notes.md'
  const removes = /\b(delete|remove)\b/i.test(text)
  const content = `# ${subject || 'Notes'}\n\n${text.trim()}\n`
  return {
    path,
    content,
    command: quoted ?? `wc -w ${path} && head -n 12 ${path}`,
    isQuoted: quoted !== undefined,
    removes,
  }
}

function plan(wish: Wish): PlannedStep[] {
  const { path, command, isQuoted, removes } = readShellWish(wish)
  const run = (title: string) => ({ title, tools: ['pod_run'], credits: 0 })
  if (isQuoted) return [run(`Run ${command} in the shell`)]
  return [
    { title: `Write ${path}`, tools: ['pod_write_file'], credits: 0 },
    run('Count its words and read it again'),
    ...(removes ? [run(`Remove ${path}, for which you are asked first`)] : []),
  ]
}

function commandChapter(ask: PlayerAsk, command: string): Chapter {
  const title = 'In the shell'
  const [call = null] = ask.all([{ name: 'pod_run', args: { command } }])
  const done = resultValue(call)
  if (!done) {
    const why = !call ? 'this run has no shell.' : wasRejected(call) ? 'you did not allow it.' : failureOf(call)
    return makeChapter({ title, gaps: [`\`${command}\` was not run: ${why}`] })
  }
  const output = [rowText(done, 'stdout'), rowText(done, 'stderr')]
    .join('\n')
    .trim()
    .replaceAll('```', "'''")
    .slice(0, MAX_OUTPUT)
  return makeChapter({
    title,
    lead: `\`${command}\` ended with exit code ${rowNumber(done, 'exitCode') ?? 0}${output === '' ? ' and printed nothing.' : ':'}`,
    blocks: output === '' ? [] : [{ kind: 'text', text: `\`\`\`\n${output}\n\`\`\`` }],
  })
}

function play(ask: PlayerAsk, wish: Wish): Chapter[] {
  const { path, content, command, isQuoted, removes } = readShellWish(wish)
  if (isQuoted) return [commandChapter(ask, command)]
  const [written = null] = ask.all([{ name: 'pod_write_file', args: { path, content } }])
  if (!resultValue(written))
    return [
      makeChapter({
        title: 'In the shell',
        gaps: [`${path} was not written${written ? `: ${failureOf(written)}` : '.'}`],
      }),
    ]
  const read = commandChapter(ask, command)
  return [read, ...(removes ? [commandChapter(ask, `rm ${path}`)] : [])]
}

/** Files and commands in the sandboxed shell of the conversation. */
export const shellPart: PlayerPart = { topic: 'shell', plan, play }
