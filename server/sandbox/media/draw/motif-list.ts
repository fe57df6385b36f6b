import { paintCastle, paintCup, paintGate, paintHouse, paintLighthouse } from './built'
import { paintBalloon, paintBoat, paintCactus, paintFlower, paintPine, paintRocket, paintTree } from './grown'
import type { Motif } from './spot'

/** What can be drawn, by the words that ask for it. */
export const MOTIFS: readonly {
  name: string
  words: readonly string[]
  paint: Motif
  inSky?: true
  onWater?: true
  inGroups?: true
}[] = [
  { name: 'lighthouse', words: ['lighthouse', 'lighthouses', 'beacon', 'faro', 'leuchtturm'], paint: paintLighthouse },
  {
    name: 'sailing boat',
    words: ['boat', 'boats', 'ship', 'ships', 'sail', 'sailing', 'sailboat', 'yacht'],
    paint: paintBoat,
    onWater: true,
  },
  { name: 'toll gate', words: ['gate', 'tollgate', 'toll', 'barrier', 'checkpoint'], paint: paintGate },
  {
    name: 'house',
    words: ['house', 'home', 'homes', 'cottage', 'cabin', 'hut', 'farm', 'barn', 'villa', 'casa'],
    paint: paintHouse,
  },
  { name: 'castle', words: ['castle', 'fortress', 'tower', 'palace', 'kingdom'], paint: paintCastle },
  { name: 'hot-air balloon', words: ['balloon', 'balloons'], paint: paintBalloon, inSky: true },
  {
    name: 'rocket',
    words: ['rocket', 'spaceship', 'spacecraft', 'launch', 'startup'],
    paint: paintRocket,
    inSky: true,
  },
  {
    name: 'flower',
    words: ['flower', 'flowers', 'rose', 'tulip', 'tulips', 'sunflower', 'garden', 'bouquet', 'blossom'],
    paint: paintFlower,
    inGroups: true,
  },
  { name: 'cactus', words: ['cactus', 'cacti', 'desert'], paint: paintCactus },
  { name: 'cup', words: ['coffee', 'cup', 'tea', 'mug', 'cafe', 'café'], paint: paintCup },
  { name: 'tree', words: ['tree', 'trees', 'oak', 'olive', 'park', 'orchard'], paint: paintTree, inGroups: true },
  { name: 'pine', words: ['pine', 'pines', 'fir', 'firs', 'christmas'], paint: paintPine, inGroups: true },
]
