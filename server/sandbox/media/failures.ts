import { provokedFailure } from '../kit/failures'

const WORDS = /sandbox:(429|quota|500|key|policy|html|nonsense|slow)/

let alternations = 0

/** The failure that a prompt asks for, the same for images and videos; null: none. */
export function mediaFailure(prompt: string): Promise<Response | null> {
  const isFaulty = prompt.includes('sandbox:alternate') && alternations++ % 2 === 0
  return provokedFailure('media', isFaulty ? '500' : WORDS.exec(prompt)?.[1])
}
