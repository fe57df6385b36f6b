import { readTokens, type Token } from './tokens'

export type TypeField = { name: string; isOptional: boolean; type: Type; comment: string }

/** A type as the document prints it. */
export type Type =
  | { kind: 'name'; name: string }
  | { kind: 'literal'; value: unknown }
  | { kind: 'array'; item: Type }
  | { kind: 'record'; value: Type }
  | { kind: 'object'; fields: TypeField[] }
  | { kind: 'union'; of: Type[] }
  | { kind: 'both'; of: Type[] }

export type FunctionType = { name: string; params: TypeField[]; returns: Type }
export type Declarations = { types: Map<string, Type>; functions: FunctionType[] }

/**
 * Reads the declarations of a code block: `type Name = …` and `function name(params: …): …`, of
 * objects, arrays, records, unions, intersections, literals and names. A comment belongs to the
 * field on its line. Throws on anything else.
 */
export function readDeclarations(code: string): Declarations {
  const tokens = readTokens(code)
  const found: Declarations = { types: new Map(), functions: [] }
  let at = 0

  const peek = (): Token | undefined => tokens[at]
  const isAt = (text: string): boolean => peek()?.kind !== 'comment' && peek()?.text === text
  function take(expected?: string): string {
    const token = tokens[at++]
    if (!token || (expected !== undefined && token.text !== expected))
      throw new Error(`expected ${expected ?? 'more'}, found ${token?.text ?? 'the end'}`)
    return token.text
  }
  /** The comment on a line, which may stand behind a bracket that goes on below. */
  function takeComment(): string {
    return peek()?.kind === 'comment' && !peek()?.isFirst ? take() : ''
  }

  function readType(onComment: (text: string) => void): Type {
    const parts: Type[] = []
    const signs = new Set<string>()
    do {
      if (isAt('|') || isAt('&')) signs.add(take())
      parts.push(readArray(onComment))
    } while (isAt('|') || isAt('&'))
    if (signs.size > 1) throw new Error('a union and an intersection need brackets')
    const [only] = parts
    if (only && parts.length === 1) return only
    return { kind: signs.has('&') ? 'both' : 'union', of: parts }
  }

  function readArray(onComment: (text: string) => void): Type {
    let type = readOne(onComment)
    while (isAt('[')) {
      take('[')
      take(']')
      type = { kind: 'array', item: type }
    }
    return type
  }

  function readOne(onComment: (text: string) => void): Type {
    if (isAt('{')) return readObject(onComment)
    if (isAt('(')) {
      take('(')
      const inner = readType(onComment)
      take(')')
      return inner
    }
    const kind = peek()?.kind
    const text = take()
    if (kind === 'text' || kind === 'number' || ['true', 'false', 'null'].includes(text))
      return { kind: 'literal', value: JSON.parse(text) }
    if (kind !== 'name') throw new Error(`no type begins with ${text}`)
    if (text !== 'Record') return { kind: 'name', name: text }
    take('<')
    take('string')
    take(',')
    const value = readType(onComment)
    take('>')
    return { kind: 'record', value }
  }

  function readObject(onComment: (text: string) => void): Type {
    take('{')
    onComment(takeComment())
    const fields: TypeField[] = []
    while (!isAt('}')) {
      const name = peek()?.kind === 'text' ? JSON.parse(take()) : take()
      const isOptional = isAt('?')
      if (isOptional) take('?')
      take(':')
      const field: TypeField = { name, isOptional, comment: '', type: { kind: 'object', fields: [] } }
      const note = (text: string) => {
        field.comment ||= text
      }
      field.type = readType(note)
      if (isAt(';')) take(';')
      note(takeComment())
      fields.push(field)
    }
    take('}')
    return { kind: 'object', fields }
  }

  const ignore = () => {}
  while (at < tokens.length) {
    const word = take()
    const name = take()
    if (word === 'type') {
      take('=')
      found.types.set(name, readType(ignore))
      takeComment()
    } else if (word === 'function') {
      for (const sign of ['(', 'params', ':']) take(sign)
      const params = readType(ignore)
      if (params.kind !== 'object') throw new Error(`the parameters of ${name} are not an object`)
      for (const sign of [')', ':']) take(sign)
      found.functions.push({ name, params: params.fields, returns: readType(ignore) })
    } else throw new Error(`no declaration begins with ${word}`)
  }
  return found
}
