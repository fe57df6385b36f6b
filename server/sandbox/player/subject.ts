import { trimEnd } from '../../kit/trim-end'
import tables from './words.json'

/** Words that say what to do or how, and nothing about what. */
const EMPTY_WORDS = new Set(tables.empty.split(' '))

/** What a goal begins with before it comes to the point. */
const LEADS =
  /^(please|can you|could you|i want to|i would like to|i need to|i'd like to|help me|let's|research|find out|look up|look into|search for|search|find|investigate|summari[sz]e|explain|describe|compare|tell me|show me|give me|write|make|create|prepare|get|list|check|read|scrape|collect|extract|report on|report|an? overview of|an? summary of|an? report on|a briefing on|a short|a brief|about|on|what do \w{1,20} (?:say|write) about|what does|what people say about|what people think (of|about)|what is|what are|what's|who is|who are|how do|how does|how are|how is|why do|why does|why is|why are|which|whether|if|the|an?)\s+/i

/** What begins a clause about the form of the answer. */
const FORM =
  /^(and|then|finally)?\s*(also\s+)?(publish|report|cite|save|store|draw|plot|chart|show|put|give|write|make|build|create|keep|name|list|compare the|with (links|sources|a|the)|in a table|as a|include|use|answer|say|read|ask|replace|then)\b/i

/** The words of a text that say what it is about, in their order. */
export const contentWordsOf = (text: string): string[] =>
  text
    .split(/[^\p{L}\p{N}'’.$€%-]+/u)
    .map((word) => trimEnd(word, ".'’-"))
    .filter((word) => word.length > 1 && !EMPTY_WORDS.has(word.toLowerCase()))

/** What is to be made, before what it is about: “a one-page site about”, “an image of”. */
const PRODUCT =
  /^(?:publish|make|build|create|design|write|draw|paint|generate|produce|put up|set up|deploy|update|replace)\s[^.\n]{0,50}?\b(?:sites?|websites?|pages?|homepages?|images?|pictures?|photos?|illustrations?|logos?|posters?|drawings?|icons?|banners?|videos?|clips?|reports?|summary|overview|briefing|article)\s(?:about|on|of|for|showing|that shows|with)\s/i

function withoutLead(text: string): string {
  let rest = text.trim()
  for (let i = 0; i < 6; i++) {
    const next = rest.replace(LEADS, '').trim()
    if (next === rest || contentWordsOf(next).length === 0) return rest
    rest = next
  }
  return rest
}

const MAX_WORDS = 12
/** What follows a subject and is its name or form. */
const NAMING =
  /,?\s(?:under the name|called|named|with the name|in the style of|in \w+ format|as a dataset|in a table|with an? actor|with scrapers?|on reddit|on youtube|on twitter|on forums|in forums|costs?(?!\s))(?=[\s,.;?!]|$)/i

/** Where a sentence goes on with something else to do. */
const JOINTS =
  /[.;:!?\n]+(?=\s|$)|,\s+(?=and |then |with |in |as |citing |naming )|\s+(?=and (?:publish|report|cite|save|store|draw|plot|chart|show|put|give|write|make|build|create|keep|then|compare the|read|tell|say|list)\b)/i

/** What a goal is about, as a search takes it; empty: it does not say. */
export function subjectOf(goal: string): string {
  const clauses = goal
    .replaceAll(/https?:\/\/\S+/g, ' ')
    .split(JOINTS)
    .map((clause) => clause.trim().replace(PRODUCT, ''))
    .filter((clause) => clause !== '')
  const says = (clause: string) => contentWordsOf(withoutLead(clause)).length > 0
  const first = [...clauses.filter((clause) => !FORM.test(clause)), ...clauses].find(says)
  if (first === undefined) return ''
  const [about = ''] = withoutLead(first).split(NAMING)
  const words = about.split(/\s+/)
  return trimEnd(words.slice(0, MAX_WORDS).join(' '), ',.;:!?"”')
}

/** A name in lower-case letters and digits, with this between its words. */
export function nameFrom(text: string, between: '-' | '_', maxChars: number): string {
  const words = contentWordsOf(text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase())
    .map((word) => word.replaceAll(/[^a-z0-9]/g, ''))
    .filter((word) => word !== '')
  const join = (all: string, word: string) => [all, word].filter(Boolean).join(between)
  const name = words.reduce((all, word) => (all.length + word.length < maxChars ? join(all, word) : all), '')
  return name.slice(0, maxChars)
}
