import { z } from 'zod'

export const RequestLog = z.object({
  requestId: z.string().describe('The x-request-id of the call'),
  at: z.iso.datetime().describe('When it was kept'),
  request: z
    .unknown()
    .describe("What was asked: a tool's parameters, or the body sent to a model, without secrets and inline data"),
  response: z
    .unknown()
    .describe(
      "What came back: a tool's result; of a model the texts it wrote, as output: [{part, text}], streamed or not; " +
        'error where the call failed',
    ),
  requestTruncated: z.boolean().describe('True when the request was longer than 64 KiB: the rest was not kept'),
  responseTruncated: z.boolean().describe('The same for the response'),
})
export type RequestLog = z.infer<typeof RequestLog>

export const RequestLogSetting = z.object({
  isOffered: z.boolean().describe('False: the operator keeps no request log'),
  isOn: z.boolean().describe('Whether the owner chose it'),
  days: z.int().describe('How long what is kept is kept'),
})
export type RequestLogSetting = z.infer<typeof RequestLogSetting>
