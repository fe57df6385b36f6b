export type Token = { kind: 'name' | 'text' | 'number' | 'sign' | 'comment'; text: string; isFirst: boolean }

const TOKEN = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|[A-Za-z_$][\w$]*|\d+|[^\s\w]/g

function kindOf(text: string): Token['kind'] {
  if (text.startsWith('//')) return 'comment'
  if (text.startsWith('"')) return 'text'
  if (/^\d/.test(text)) return 'number'
  return /^[A-Za-z_$]/.test(text) ? 'name' : 'sign'
}

/** The words of a declaration; `isFirst` of a line, which ends the field before. */
export const readTokens = (code: string): Token[] =>
  code.split('\n').flatMap((line) =>
    [...line.matchAll(TOKEN)].map(([text], index) => {
      const kind = kindOf(text)
      return { kind, text: kind === 'comment' ? text.slice(2).trim() : text, isFirst: index === 0 }
    }),
  )
