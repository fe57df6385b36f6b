import type { PixelSize } from '../../tools/media/ratios'
import { drawPrompt } from './draw/compose'

/** A PNG of this size that shows what the prompt's words name, as far as a script can draw it. */
export const makeImageFile = (prompt: string, size: PixelSize): Buffer => drawPrompt(prompt, size)
