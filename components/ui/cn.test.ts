import { readdirSync, readFileSync } from 'node:fs'
import { extendTailwindMerge } from 'tailwind-merge'
import { expect, test } from 'vitest'
import { cn } from './cn'

const fullMerge = extendTailwindMerge({
  extend: { classGroups: { 'font-size': [{ text: ['caption', 'table', 'body', 'title'] }] } },
})

/** Every class in pages and components, without states and breakpoints. */
function classesInUse(): string[] {
  const files = ['components', 'app'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  const sources = files.filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))
  const texts = sources.flatMap((file) => readFileSync(file, 'utf8').match(/(["'`])[^"'`\n]+\1/g) ?? [])
  const words = texts.flatMap((text) => text.slice(1, -1).split(/\s+/))
  return [...new Set(words.filter((word) => /^-?[a-z][a-z0-9-]*(-[[(].+[\])])?$/.test(word)))]
}

test('for any two classes in use it returns what the complete tailwind-merge returns', () => {
  // A word that merging does not know as a class conflicts with nothing, not even with itself.
  const isKnown = (merge: (classes: string) => string) => (word: string) => merge(`${word} ${word}`) === word
  const words = classesInUse()
  const classes = words.filter(isKnown(fullMerge))
  expect(words.filter(isKnown(cn)).filter((word) => !classes.includes(word))).toEqual([])
  expect(classes.length).toBeGreaterThan(150)
  const wrong: string[] = []
  for (const before of classes) {
    for (const after of classes) {
      const [actual, expected] = [cn(before, after), fullMerge(`${before} ${after}`)]
      if (before !== after && actual !== expected) wrong.push(`${before} + ${after}: “${actual}”, not “${expected}”`)
    }
  }
  expect(wrong).toEqual([])
})
