/** OpenAI's error body: https://platform.openai.com/docs/guides/error-codes */
export const openAiError = (status: number, code: string | null, message: string, headers = {}): Response =>
  Response.json({ error: { message, type: 'invalid_request_error', param: null, code } }, { status, headers })
