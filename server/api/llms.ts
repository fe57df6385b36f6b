import { llmsIndex } from '../catalog/llms'

/** What language models are told first, for anyone. */
export const llmsText = (): string => llmsIndex()
