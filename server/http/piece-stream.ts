/** Bytes as a stream that makes the next piece on demand. */
export function streamOfPieces(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await pieces.return(undefined)
    },
  })
}

/** Texts as a stream that reads the next one on demand. */
export const streamOfTexts = (texts: AsyncGenerator<string>): ReadableStream<Uint8Array> =>
  streamOfPieces(encode(texts))

async function* encode(texts: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const text of texts) yield encoder.encode(text)
}
