// A worker thread's entry: counts the tokens of long texts.
import { serveParser } from '../kit/threads/serve-parser'
import { countSeveral, importTokenizer } from './count-slices'
import type { CountTask } from './token-pool'

const tokenizer = importTokenizer()

serveParser(async ({ texts, ...bounds }: CountTask) => countSeveral(await tokenizer, texts, bounds))
