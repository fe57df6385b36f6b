import { hash } from 'node:crypto'

/** So many things, each made from its number, from 0 on. */
export const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))

/** A number in [0, 1) that depends on nothing but the text. */
export const chanceOf = (text: string): number => hash('sha256', text, 'buffer').readUInt32BE(0) / 2 ** 32

/** Sixteen numbers in [0, 1) from one text, for what is made by the thousand. */
export function chancesOf(text: string): number[] {
  const digest = hash('sha256', text, 'buffer')
  return times(16, (n) => digest.readUInt16BE(2 * n) / 2 ** 16)
}

/** Draws that depend on the seed and their name only, in whatever order they are made. */
export type Draw = ReturnType<typeof drawFrom>

/**
 * The sandbox's only source of variety: what is simulated for the same request is the same in every
 * process and in every run. The seed names the thing, such as `home 1234`, so that a list and its
 * detail agree.
 */
export function drawFrom(seed: string) {
  const chance = (name: string) => chanceOf(`${seed}\n${name}`)
  return {
    /** A number in [0, 1). */
    chance,
    /** A whole number from `min` to `max`, both included. */
    int: (name: string, min: number, max: number) => min + Math.floor(chance(name) * (max - min + 1)),
    /** One of a list that is not empty. */
    pick: <T>(name: string, list: readonly T[]) => list[Math.floor(chance(name) * list.length)] as T,
    shuffle: <T>(name: string, list: readonly T[]) =>
      list
        .map((item, index) => ({ item, at: chance(`${name} ${index}`) }))
        .sort((a, b) => a.at - b.at)
        .map(({ item }) => item),
  }
}
