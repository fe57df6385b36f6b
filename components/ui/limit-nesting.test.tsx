import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { startCpuTimer } from '@/tests/support/cpu-time'
import { limitNesting } from './limit-nesting'
import { Markdown } from './markdown'

const nested = (levels: number, indent: string, marker: string) =>
  Array.from({ length: levels }, (_, i) => `${indent.repeat(i)}${marker} item ${i}`).join('\n')

const HOSTILE: [string, string][] = [
  ['1,500 nested lists', nested(1_500, '  ', '-')],
  ['1,500 nested numbered lists', nested(1_500, '   ', '1.')],
  ['1,500 lists in one line', `${'- '.repeat(1_500)}x`],
  ['1,500 quotations in one line', `${'> '.repeat(1_500)}x`],
  ['lists in quotations', Array.from({ length: 300 }, (_, i) => `${'> - '.repeat(i)}x`).join('\n')],
]

describe('Markdown', () => {
  it.each(HOSTILE)('of %s is drawn within 200 ms', (_name, text) => {
    renderToStaticMarkup(<Markdown text="- a" />)
    const readMs = startCpuTimer()
    expect(renderToStaticMarkup(<Markdown text={text} />)).toMatch(/<li>|<blockquote/)
    expect(readMs()).toBeLessThan(200)
  })

  it('as people write it stays as it is', () => {
    const text = [
      '- a\n  - b\n    - c\n      1. d',
      '> quoted\n> > twice\n> - a list',
      `\`\`\`\n${'  '.repeat(40)}- code\n\`\`\``,
      '--- \n\n**bold** 1. no list\n-not a list',
    ].join('\n\n')
    expect(limitNesting(text)).toBe(text)
  })

  it('nested deeper has its innermost items at the last level', () => {
    expect(limitNesting(`${'- '.repeat(20)}x`)).toBe(`${'- '.repeat(10)}x`)
    expect(limitNesting(`${' '.repeat(400)}- x`)).toBe(`${' '.repeat(24)}- x`)
  })
})
