/** One word or operator of a query; `not` with a minus before it. */
export type XTerm = { name: string; value: string; not: boolean }

/** Alternatives, each of terms that all must hold. */
export type XQuery = XTerm[][]

const MAX_ALTERNATIVES = 12
const OPERATOR =
  /^(from|to|lang|has|is|conversation_id|in_reply_to_tweet_id|min_faves|min_likes|min_retweets|min_reposts|min_replies|url):(.+)$/i

/**
 * Reads a query: words, "phrases", #tags, @names, operators, groups in brackets and OR, which binds
 * weaker than what stands beside each other.
 * https://docs.x.com/x-api/posts/search/integrate/build-a-query
 */
export function readXQuery(text: string): XQuery {
  const tokens = text.match(/-?\(|\)|-?"[^"]*"|[^\s()]+/g) ?? []
  let at = 0
  return either()

  function either(): XQuery {
    const found = [...all()]
    while (tokens[at] === 'OR') {
      at += 1
      found.push(...all())
    }
    return found.slice(0, MAX_ALTERNATIVES)
  }

  function all(): XQuery {
    let found: XQuery = [[]]
    for (let token = tokens[at]; token !== undefined && token !== ')' && token !== 'OR'; token = tokens[at]) {
      at += 1
      if (token === 'AND') continue
      const next = token.endsWith('(') && token.length <= 2 ? group(token.startsWith('-')) : [[termOf(token)]]
      found = found.flatMap((left) => next.map((right) => [...left, ...right])).slice(0, MAX_ALTERNATIVES)
    }
    return found
  }

  function group(not: boolean): XQuery {
    const found = either()
    at += 1
    return not ? [found.flat().map((term) => ({ ...term, not: !term.not }))] : found
  }
}

function termOf(token: string): XTerm {
  const not = token.startsWith('-') && token.length > 1
  const word = not ? token.slice(1) : token
  const [, name, value] = OPERATOR.exec(word) ?? []
  if (name !== undefined && value !== undefined)
    return { name: name.toLowerCase(), value: value.replace(/^@/, ''), not }
  if (word.startsWith('#') || word.startsWith('$')) return { name: 'tag', value: word.slice(1), not }
  return { name: 'word', value: word.replaceAll('"', '').replace(/^@/, ''), not }
}
