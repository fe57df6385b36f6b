import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageClassification,
  PerRequestHTTPServerTransport,
  type Server,
} from '@modelcontextprotocol/server'

/** Carries one request, and its answer as a message: the SDK's own makes an HTTP response of it. */
class OneAnswerTransport extends PerRequestHTTPServerTransport {
  readonly #answer = Promise.withResolvers<JSONRPCMessage>()

  override async send(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message)) this.#answer.resolve(message)
  }

  answerTo(message: JSONRPCRequest, classification: MessageClassification): Promise<JSONRPCMessage> {
    this.onmessage?.(message, { classification })
    return this.#answer.promise
  }
}

/** Serves one request, as what it was classified as, with a server that ends with it. */
export async function serveOnce(
  server: Server,
  message: JSONRPCRequest,
  classification: MessageClassification,
): Promise<JSONRPCMessage> {
  const transport = new OneAnswerTransport({ classification })
  await server.connect(transport)
  return transport.answerTo(message, classification)
}
