import type { PlaygroundMessage } from './request'
import type { ChatRound } from './turn'

const NOT_RUN = '{"error":"This call was not run."}'

/** What a model said in a request, and what its calls of tools returned, as the next one has it. */
export function roundMessages({ text, calls }: ChatRound): PlaygroundMessage[] {
  if (calls.length === 0) return text === '' ? [] : [{ role: 'assistant', content: text }]
  return [
    {
      role: 'assistant',
      content: text,
      tool_calls: calls.map(({ id, name, input }) => ({
        id,
        type: 'function',
        function: { name, arguments: input },
      })),
    },
    ...calls.map(({ id, result }) => ({ role: 'tool' as const, tool_call_id: id, content: result ?? NOT_RUN })),
  ]
}
