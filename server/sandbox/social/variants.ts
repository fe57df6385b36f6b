import { plainWord } from '../prose/stop-words'
import type { Topic } from '../prose/topic'

/**
 * The words of a topic as texts that fit into an id: all of them where they do, else as many as
 * possible that follow each other. The better ones come first, and there is at least one.
 */
export function fittingTexts(topic: Topic, fits: (text: string) => boolean): string[] {
  const whole = [topic.text.toLowerCase(), topic.head.toLowerCase(), topic.words.join(' ').toLowerCase()]
  const found = [...whole, ...whole.map(plainWord)].find(fits)
  if (found !== undefined) return [found]
  const words = topic.words.map(plainWord)
  for (let size = words.length - 1; size > 0; size--) {
    const parts = words.slice(0, words.length - size + 1).map((_, from) => words.slice(from, from + size).join(' '))
    const fitting = parts.filter(fits)
    if (fitting.length > 0) return fitting
  }
  // One long word: its beginning.
  for (let text = words[0] ?? ''; text.length > 1; text = text.slice(0, -1)) if (fits(text)) return [text]
  return ['']
}
