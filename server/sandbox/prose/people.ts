import { drawFrom } from '../seed'
import { plainWord } from './stop-words'

/** Somebody who does not exist. */
export type Person = { name: string; handle: string }

const FIRST_NAMES =
  'Ada Adrian Aisha Alba Amara Anders Anton Beatriz Bruno Camille Carla Clara Dario Elena Elif Emil Esther Farah Felix Greta Hana Henrik Ines Iris Ivan Jana Jonas Julia Kai Laila Leon Lucia Luka Maeve Marco Marta Mateo Mirela Nadia Nils Nora Olga Omar Pablo Petra Priya Rafael Ravi Rosa Samuel Sara Selma Sofia Stefan Tariq Tessa Tomas Vera Viktor Wanda Yara Yusuf Zoe'.split(
    ' ',
  )
const LAST_NAMES =
  'Abarca Adeyemi Anton Arriaga Bakker Balint Barros Bergholt Brandt Calder Castellan Cordeiro Dahlin Deluca Drummond Eriksen Falk Ferrand Fontes Galvan Grieg Haddad Halloran Hartwig Ibarra Jansky Kallio Karimi Kessler Kovar Lachance Lindqvist Lombard Maddox Marchetti Mendes Moreau Nakata Novik Okafor Olander Ostrow Paredes Petrosyan Quint Rahman Reye Rinaldi Rosales Sandoval Sauvage Schreier Sorensen Stahl Tavares Thorne Ueda Valcourt Vasquez Verhoeven Wexler Winther Yilmaz Zamora'.split(
    ' ',
  )

/** A person by seed. The handle has only letters, digits and underscores. */
export function personOf(seed: string): Person {
  const draw = drawFrom(`person ${seed}`)
  const [first, last] = [draw.pick('first', FIRST_NAMES), draw.pick('last', LAST_NAMES)]
  const [a, b] = [plainWord(first), plainWord(last)]
  const handle = draw.pick('form', [
    `${a}_${b}`,
    `${a}${b}${draw.int('n', 2, 99)}`,
    `${a[0]}${b}`,
    `${b}_${a[0]}${draw.int('n', 1, 9)}`,
  ])
  return { name: `${first} ${last}`, handle }
}
