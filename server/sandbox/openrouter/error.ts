/**
 * OpenRouter's error body, which contains the account's id:
 * https://openrouter.ai/docs/api/reference/errors-and-debugging
 */
export const openRouterError = (status: number, message: string, http = status): Response =>
  Response.json({ error: { message, code: status, metadata: {} }, user_id: 'user_sandbox1' }, { status: http })
