/** Why a message ended, as chat completions say it. */
const TO_CHAT: Record<string, string> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
}

export const finishReasonOfMessage = (stopReason: unknown): string => TO_CHAT[String(stopReason)] ?? 'stop'

const FROM_CHAT: Record<string, string> = {
  length: 'max_tokens',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  content_filter: 'refusal',
}

type Ended = { finishReason: unknown; hasCalls: boolean; isRefusal: boolean }

/**
 * Why a chat answer ended, in this wire. Some providers say `stop` also where the model called a
 * tool.
 */
export function stopReasonOf({ finishReason, hasCalls, isRefusal }: Ended): string {
  if (isRefusal) return 'refusal'
  return FROM_CHAT[String(finishReason)] ?? (hasCalls ? 'tool_use' : 'end_turn')
}
