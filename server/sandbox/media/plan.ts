import tables from './scenes.json'

/** What a prompt may ask for, as SVG elements: its foot is at 0, and 100 is its height. */
export type Motif = {
  name: string
  words: string
  svg: string
  night?: string
  inSky?: true
  onWater?: true
  inGroups?: true
}

type DayTime = keyof typeof tables.palettes

const fits =
  (words: ReadonlySet<string>) =>
  ({ words: any }: { words: string }) =>
    any.split(' ').some((word) => words.has(word))

/** What a prompt's words ask for, as far as this script can draw it. Of scenes the first counts. */
export function planImage(prompt: string) {
  const words = new Set(prompt.toLowerCase().match(/\p{L}+/gu) ?? [])
  const motifs = (tables.motifs as Motif[]).filter(fits(words)).slice(0, 3)
  const found = tables.scenes.find(fits(words))?.name
  const scene = found ?? (motifs.some(({ onWater }) => onWater) ? 'sea' : motifs.length > 0 ? 'hills' : 'abstract')
  const time = (tables.times.find(fits(words))?.time ?? 'day') as DayTime
  return { words, motifs, scene, time, isLogo: fits(words)({ words: tables.logos }) }
}
